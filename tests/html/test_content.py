"""What belongs to the main content of a page, and what it says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugin.html.content import main_images, main_text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<header>a</header><main>b</main><footer>c</footer>", "b"),
        ("<main>a<div class='x md-content'>b</div></main><article>c</article>", "b"),
        ("<article>a</article>b<div role=main>c</div>", "c"),
        ("a<article>b</article>c<article>d</article>", "b d"),
        ("<main>a<main>b</main>c</main>", "a b c"),
        ("<header>a</header><nav>b</nav>c<aside>d</aside><footer>e</footer>", "c"),
        ("<nav><div>a<main>b", "b"), ("<main>a<nav>b<main>c</main></nav>d</main>", "ad c"),
        ("<main><header>a</header><div class='md-sidebar x'>b</div>c</main>", "a c"),
        ("<main><aside>a</aside><footer>b</footer><form>c</form><button>d</button>e</main>", "e"),
        ("<main>a<script>b</script><style>c</style><noscript>d</noscript><!-- e -->f</main>", "af"),
        ("<main>a<svg><text>b</text></svg><time>c</time><template>d</template>e</main>", "ae"),
        ("<main><h1>a<a class=headerlink href=#a>b</a></h1><p id=last-updated>c</p></main>", "a"),
        ("<main><small class='git-revision-date-localized'>a</small><p class=x>b</p></main>", "b"),
        ("<pre>a.b()</pre>", "a.b()"), ("<pre><span>a</span><span>.</span>b()</pre>", "a.b()"),
        ("<pre><a id=l1 name=l1 href=#l1></a>a.b()</pre>", "a.b()"),
        ("<p>o<b>n</b>e<i> two</i></p>", "one two"), ("<p>one</p><p>two</p>", "one two"),
        ("<p>one<br>two", "one two"), ("<td>1<td>2", "12"), ("<table><td>1<td>2</table>", "1 2"),
        ("<p><a href=' /x.0123abcd.css?y#z\n'>one</a></p>", "/x..css one"),
        ("<p>a<img src=/a-0123456789.png alt='b c'>d</p>", "a b c /a-.png d"),
        ("<p><a>a</a> <img> &amp;lt; \xa0b", "a &lt; b"), ("<frameset><frame>", ""),
    ],
)  # fmt: skip
def test_the_text_of_the_main_content_is_read(body: str, text: str) -> None:
    assert main_text(f"<!doctype html><title>T</title>{body}".encode()) == text


def test_other_encodings_are_read_as_they_are_declared() -> None:
    assert main_text(b"<meta charset=latin1><p>\xe9") == "\N{LATIN SMALL LETTER E WITH ACUTE}"


@pytest.mark.parametrize(
    ("body", "sources"),
    [
        ("<img src=a><main><img src=b></main>", ["b"]),
        ("<header><img src=a></header><IMG SRC=b><div><img src=c></div>", ["b", "c"]),
        ("<main><nav><img src=a></nav><aside><img src=b></aside></main>", ["b"]),
        ("<main><template><img src=a></template><noscript><img src=b></noscript></main>", []),
        ("<main><!-- <img src=a> --><script>'<img src=b>'</script></main>", []),
    ],
)
def test_the_images_of_the_main_content_are_found(body: str, sources: list[str]) -> None:
    assert [given["src"] for given in main_images(body.encode())] == sources


@settings(max_examples=30)
@given(st.binary(max_size=200))
def test_any_bytes_have_a_content(data: bytes) -> None:
    assert isinstance(main_text(data), str)
    assert isinstance([*main_images(data)], list)
