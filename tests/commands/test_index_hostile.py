"""Whatever lies in a folder, the command ends with a message or with a sound index."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from commands.trees import BASE, build, children, snapshot, write
from sitemap_plugin.commands.index import Request, write_root_index
from sitemap_plugin.errors import SitemapError

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PIECES = (
    '<?xml version="1.0"?>', f"<urlset {NAMESPACE}>", "</urlset>", f"<sitemapindex {NAMESPACE}>",
    "</sitemapindex>", "<url>", "</url>", "<sitemap>", "</sitemap>", "<loc>", "</loc>",
    "<lastmod>2024-01-01</lastmod>", "<lastmod>", "</lastmod>", f"{BASE}de/", f"{BASE}de/a/",
    f"{BASE}de/sitemap.xml", f"{BASE}fr/sitemap.xml", f"{BASE}sitemap.xml", "http://[", "&", "\0",
    '<xhtml:link rel="alternate" hreflang="fr" href="/"/>', "<!DOCTYPE a>", "é", "]]>", "9999-99",
)  # fmt: skip
SOUND = f"<urlset {NAMESPACE}><url><loc>{BASE}de/</loc></url></urlset>"
CONTENTS = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=12).map(lambda parts: "".join(parts).encode()),
    st.integers(0, len(SOUND)).map(lambda end: SOUND[:end].encode()),
    st.just(gzip.compress(SOUND.encode(), mtime=0)),
    st.lists(st.sampled_from(PIECES[14:20]), max_size=4).map(
        lambda locs: (
            f"<sitemapindex {NAMESPACE}>"
            + "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
            + "</sitemapindex>"
        ).encode()
    ),
)
NAMES = st.sampled_from(
    [
        "sitemap.xml", "sitemap-index.xml", "de/sitemap.xml", "de/sitemap.xml.gz",
        "de/sitemap-1.xml", "it/sitemap.txt", "versions.json", "robots.txt", "index.html",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(NAMES, CONTENTS, max_size=5))
def test_no_file_breaks_the_command_or_gets_lost(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, "fr/", ["", "a/"])
        write(folder, files)
        before = snapshot(folder)
        request = Request(base_url=BASE)
        try:
            outcome = write_root_index(folder, request)
        except SitemapError:
            assert snapshot(folder) == before
            return

        assert children(outcome.path) == {
            url: None if date is None else str(date) for url, date in outcome.children.items()
        }
        assert f"{BASE}fr/sitemap.xml" in dict(outcome.children)
        after = snapshot(folder)
        kept = set(after.values())
        for path, data in files.items():
            assert data in kept or (path == "robots.txt" and after[path].startswith(data))
