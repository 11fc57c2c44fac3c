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


def test_fingerprints_stay_the_same_from_version_to_version() -> None:
    """Let who changes them raise VERSION in lastmod/state.py, or all pages get a wrong date."""
    page = (
        "<!doctype html><title>T</title><nav>menu</nav><main class=md-main><aside>toc</aside>"
        "<article class='md-content'><h1>One<a class=headerlink href=#one>¶</a></h1>"
        "<p>Two <b>th</b>ree &amp; <a href=/x?y#z>four</a><img src=/a.0123abcd.png alt=five>"
        "<pre><code>a<span>b</span></code></pre><time>now</time><form>six</form></article></main>"
    )

    assert fingerprint(page.encode()) == "fc71b22b64471ff1"


@pytest.mark.parametrize("first", ["", "<!-->", "<b a='b'c>"], ids=["usual", "unusual", "odd"])
def test_fingerprints_do_not_depend_on_the_way_a_page_is_read(first: str) -> None:
    page = (
        "<!doctype html><body><header>menu</header><div role=main>\n"
        '<p class="git-revision-date"><span class="x">today</span><p>once</p></p> now '
        '<span id=last-updated>a<span class="n">b</span></span><script>a < b</script>c'
        '<div class="md-sidebar">side</div><small>d</small> <code class="e">&amp;lt; </code> '
        '<a title="x > y" href="/f.0123456789ab.css#g">h</a><!-- i --> <svg><path d="m0"/></svg>\n'
        "<img src='/j?k' alt='&lt;'></div><footer>foot</footer>"
    )

    assert fingerprint(f"{first}{page}".encode()) == "f66e2882a7d35fe1"
