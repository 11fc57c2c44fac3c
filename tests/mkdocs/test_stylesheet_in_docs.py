"""A ``sitemap.css`` of the site's own stays what it is."""

from __future__ import annotations

from mkdocs_sites import Builder, run_build

LINK = '<?xml-stylesheet type="text/css" href="sitemap.css"?>'


def test_a_stylesheet_in_the_docs_folder_is_kept_with_a_notice(build_site: Builder) -> None:
    built = build_site({"index.md": "# Home", "sitemap.css": "mine {}"})
    strict = run_build(built.root, "--strict")

    assert (built.status, strict.status) == (0, 0)
    assert "INFO    -  sitemap: sitemap.css: the site has a sitemap.css of its own" in built.log
    assert (built.site / "sitemap.css").read_text() == "mine {}"
    assert LINK not in (built.site / "sitemap.xml").read_text()


def test_a_second_build_into_the_same_folder_says_nothing(build_site: Builder) -> None:
    built = build_site({"index.md": "# Home"})
    again = run_build(built.root, "--dirty")

    assert LINK in (built.site / "sitemap.xml").read_text()
    assert "sitemap.css" not in again.log
