"""A commit counts where it changed a word; every kind has one neighbour that does."""

import pytest

from sitemap_plugin.dates.words import same_words

MARKDOWN = """\
---
title: Clay
tags: [a]
---
# Clay

Some *long* text with `code`, [a link](guide/start.md) and 3 numbers such as -1.5 and 1,000.

* one
* two

1. first
1. second

| a | b |
|---|---|
| c | d |

```python
import a

print("<b>")  <!-- seen -->
```
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("tags: [a]", "tags: [a, b]\ndate: 2024-01-01", True),
        ("title: Clay", "title: 'Clay'", True),
        ("title: Clay", "title: Glaze", False),
        ("title: Clay", "title: Clay\ndescription: On clay.", False),
        ("long* text with", "long*\ntext   with", True),
        ("*long*", "__long__", True),
        ("*long*", "Long", False),
        ("# Clay\n", "Clay\n====\n", True),
        ("* one\n* two", "- one\n- two", True),
        ("* one", "* once", False),
        ("1. second", "2. second", True),
        ("1. second", "1. third", False),
        ("| a | b |\n|---|---|", "|  a  |  b  |\n|:---:|-----|", True),
        ("| c | d |", "| d | c |", False),
        ("\n", "\r\n", True),
        ("# Clay", "<!-- SPDX-License-Identifier: MIT -->\n\n# Clay", True),
        ("<!-- seen -->", "<!-- changed -->", False),
        ("guide/start.md", "guide-start.md", False),
        ("-1.5", "1.5", False),
        ("-1.5", "-15", False),
        ("1,000", "1.000", False),
        ("3 numbers", "4 numbers", False),
        ("```python", "```java", False),
        ("<b>", "<i>", False),
        ("Some ", "Some&nbsp;", True),
        ("Some ", "S&ouml;me ", False),
        ("Some ", "S&#111;me ", True),
        ("Some ", "<span class=x>Some</span> ", True),
        ("Some ", '<a href="x">Some</a> ', False),
        ("\n\n* one", " {: .wide }\n\n* one", True),
    ],
)
@pytest.mark.parametrize("more", [0, 150])
def test_what_a_reader_reads_of_markdown_counts(old: str, new: str, same: bool, more: int) -> None:
    start, heading, end = MARKDOWN.partition("# Clay\n\n")
    before = start + heading + "Words before.\n\n" * more + end + "\nWords after.\n" * more
    changed = before.replace(old, new)

    assert changed != before
    assert same_words(before.encode(), changed.encode(), b"a.md") is same
    assert same_words(changed.encode(), before.encode(), b"a.md") is same


@pytest.mark.parametrize(
    ("name", "old", "new", "same"),
    [
        ("a.rst", "T\n=\n\n:tags: a\n\nx", "T\n~\n\n:tags: b\n\nx", True),
        ("a.rst", "T\n=\n\n:summary: a\n\nx", "T\n=\n\n:summary: b\n\nx", False),
        ("a.rst", "`a <b/c>`_", "`a <b-c>`_", False),
        ("a.rst", "x", ".. Copyright me\n\nx", True),
        ("a.rst", "x", ".. note:: me\n\nx", False),
        ("a.adoc", "= T\n:toc: left\n\nx", "= T\n:toc:\n\nx", True),
        ("a.adoc", "x", "// me\nx", True),
        ("a.adoc", "x link:a/b[c]", "x link:a-b[c]", False),
        ("a.html", "<p class=a>x</p><script>1</script>", "<div>x</div><script>2</script>", True),
        ("a.html", "<p>x</p>", "<p>y</p>", False),
        ("a.md", "Title: T\nTags: a\n\nx", "Title: T\nTags: b\n\nx", True),
        ("a.md", "Title: T\nTags: a\n\nx", "Title: U\nTags: a\n\nx", False),
        ("a.md", "\u4e2d\u6587\u5b57", "\u4e2d\u6587\n\u5b57", True),
        ("a.md", "\u0939\u093f", "\u0939\u0940", False),
        ("a.md", "<https://a.example/b>", "<https://a.example/c>", False),
        ("a.md", "<!--", "<!-- x", True),
        ("a.md", "https://a.example/b.", "https://a.example/b", True),
        ("a.md", "---\nsubtitle: a\n---\nx", "---\nsubtitle: b\n---\nx", False),
        ("a.md", "```\na\n```\n<!-- x -->", "```\na\n```\n<!-- y -->", True),
        ("a.md", "````\n```\n<!-- x -->", "````\n```\n<!-- y -->", False),
        ("a.txt", "a", "a\n", False),
        (
            "a.ipynb",
            '{"cells": [{"cell_type": "code", "source": ["x=1"], "outputs": []}]}',
            '{"cells": [{"cell_type": "code", "source": "x=1", "outputs": [7]}], "n": 1}',
            True,
        ),
        ("a.ipynb", '{"cells": [{"source": ["x"]}]}', '{"cells": [{"source": ["y"]}]}', False),
        ("a.ipynb", "{", "{ ", False),
        (
            "a.ipynb",
            '{"cells": [{"cell_type": "code", "source": "<!-- x -->"}]}',
            '{"cells": [{"cell_type": "code", "source": "<!-- y -->"}]}',
            False,
        ),
        ("a.ipynb", '{"cells": [{"source": "<!-- x -->"}]}', '{"cells": [{"source": "-"}]}', True),
    ],
)
def test_what_a_reader_reads_of_other_formats_counts(
    name: str, old: str, new: str, same: bool
) -> None:
    assert same_words(old.encode(), new.encode(), name.encode()) is same
