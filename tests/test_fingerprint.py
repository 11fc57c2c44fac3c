"""Which changes of its markup change what a page says."""

from __future__ import annotations

import pytest

from sitemap_plugin.html.fingerprint import fingerprint


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("<pre>a.b()</pre>", "<pre><span>a</span><span>.</span>b()</pre>", True),
        ("<pre>a.b()</pre>", "<pre><a id=l1 name=l1 href=#l1></a>a.b()</pre>", True),
        ("<p>one</p>", "<p>o<b>n</b>e</p>", True),
        ("<p>one two</p>", "<p>one<i> two</i></p>", True),
        ("<p>one two</p>", "<p>onetwo</p>", False),
        ("<p>one</p><p>two</p>", "<p>onetwo</p>", False),
        ("<p>one<br>two</p>", "<p>onetwo</p>", False),
        ("<td>1<td>2", "<td>12", False),
        ("<p>one</p>", "<p><a href=/x>one</a></p>", False),
        ("<p>one</p><p>two</p>", "<div>one</div>\n<div>two</div>", True),
    ],
)
def test_tags_within_a_line_part_no_words_and_others_do(old: str, new: str, same: bool) -> None:
    first, second = (fingerprint(f"<main>{part}</main>".encode()) for part in (old, new))

    assert (first == second) is same
