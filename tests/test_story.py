"""The whole story of a site without a history: deployed, edited, compared, announced."""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from loopback import Loopback, indexnow, serving
from mkdocs_sites import run_build
from sitemap_plugin.commands.cli import main
from sitemaps import read_sitemap

KEY = "0123456789abcdef0123456789abcdef"
JUNE, JULY = "1749513600", "1752105600"
PAGES = {
    "index.md": "# Kettles\n\nAll about [kettles](guide/boil.md).\n",
    "guide/boil.md": "# Boil\n\nFill it, and switch it on.\n",
    "guide/clean.md": "# Clean\n\nUse vinegar.\n\n| what | how |\n|---|---|\n| lime | acid |\n",
    "guide/old.md": "# Old models\n\nThey whistle.\n",
    "about.md": "# About\n\nWe like tea.\n",
}


class Docs:
    """A site's sources, its last build, and the server to which builds are deployed."""

    def __init__(self, root: Path, server: Loopback) -> None:
        self._root, self._server = root, server
        self.url, self.site = server.url, root / "site"
        options = {"lastmod": ["state"], "state_file": "state.json", "indexnow_key": KEY}
        settings = {"site_name": "Kettles", "site_url": self.url, "plugins": [{"sitemap": options}]}
        (root / "docs" / "guide").mkdir(parents=True)
        (root / "mkdocs.yml").write_text(yaml.safe_dump(settings))

    def build(self, day: str, pages: Mapping[str, str]) -> None:
        """Build on a day, with some pages written anew."""
        for name, text in pages.items():
            (self._root / "docs" / name).write_text(text)
        built = run_build(self._root, environment={"SOURCE_DATE_EPOCH": day})
        assert built.status == 0, built.log

    def deploy(self) -> None:
        """Put the last build in the place of what is served."""
        assert self._server.folder
        shutil.rmtree(self._server.folder, ignore_errors=True)
        shutil.copytree(self.site, self._server.folder)

    def urls(self, *paths: str) -> list[str]:
        """Return the URLs of pages."""
        return [self.url + path for path in paths]


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Docs]:
    """A site that was deployed."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with serving(tmp_path / "served") as server:
        found = Docs(tmp_path / "docs-site", server)
        found.build(JUNE, PAGES)
        found.deploy()
        yield found


@pytest.fixture
def engine() -> Iterator[Loopback]:
    with serving() as engine:
        engine.add("/indexnow", indexnow)
        yield engine


EDITS = {
    "guide/boil.md": "# Boil\n\nFill it with fresh water, and switch it on.\n",
    "guide/descale.md": "# Descale\n\nOnce a month.\n",
}
EDITED = ("guide/boil/", "guide/descale/", "guide/old/")


@pytest.fixture
def edited(docs: Docs) -> Docs:
    """The same site, edited and built again; not deployed yet."""
    (docs.site.parent / "docs" / "guide" / "old.md").unlink()
    docs.build(JULY, EDITS)
    return docs


def announce(engine: Loopback, *arguments: str | Path) -> int:
    """Announce to a server on this machine."""
    return main(["indexnow", *map(str, arguments), "--endpoint", f"{engine.url}indexnow"])


def test_a_deployed_site_differs_from_the_next_build_in_what_was_edited(
    edited: Docs, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    sitemap = f"{edited.url}sitemap.xml"
    status = main(["diff", sitemap, str(edited.site), "--format", "json", "--exit-code"])
    found = json.loads(capsys.readouterr().out)

    assert status == 1
    assert found["added"] == edited.urls("guide/descale/")
    assert found["removed"] == edited.urls("guide/old/")
    assert found["changed"] == [
        {
            "loc": edited.url + "guide/boil/",
            "lastmod": {"old": None, "new": "2025-07-10T00:00:00+00:00"},
        }
    ]
    assert found["unchanged"] == 3


def test_what_was_edited_is_announced_after_the_deployment(
    edited: Docs, engine: Loopback, tmp_path: Path
) -> None:
    changed = tmp_path / "changed.txt"
    main(["diff", edited.url, str(edited.site), "--format", "urls", "--output", str(changed)])
    one_step = announce(engine, edited.url, edited.site)
    edited.deploy()
    status = announce(engine, "--urls", changed, "--key", KEY)

    assert one_step == status == 0
    assert [posted["urlList"] for posted in engine.posted] == [edited.urls(*EDITED)] * 2
    assert engine.posted[1]["keyLocation"] == f"{edited.url}{KEY}.txt"
    assert main(["diff", edited.url, str(edited.site), "--exit-code"]) == 0


def test_a_build_without_an_edit_has_nothing_to_announce(docs: Docs, engine: Loopback) -> None:
    docs.build(JULY, {})

    assert announce(engine, docs.url, docs.site) == 0
    assert engine.asked == []
    assert not any(url.lastmod for url in read_sitemap(docs.site / "sitemap.xml"))
