"""Trees of versions, made by mike itself in a git repository."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from commands.trees import build, children, copy, deploy, index, page, snapshot, write
from git_repositories import Repo
from mkdocs_sites import BIN
from sitemap_plugin.commands.check.run import check

BASE = "https://example.org/"
CONFIG = """\
site_name: Docs
site_url: https://example.org/
plugins: [search, sitemap, mike{options}]
"""


class Mike:
    """A project whose documentation mike deploys."""

    def __init__(self, path: Path, options: str = "", config: str = CONFIG) -> None:
        path.mkdir()
        self.repo = Repo(path)
        self.repo.git("init", "--quiet", "--initial-branch=main")
        self.repo.git("config", "user.name", "A")
        self.repo.git("config", "user.email", "a@example.org")
        config = config.format(options=options)
        self.repo.commit(
            0, {"mkdocs.yml": config, "docs/index.md": "# Home", "docs/new.md": "# New"}
        )

    def __call__(self, *arguments: str) -> None:
        """Run mike."""
        result = subprocess.run(
            [BIN / "mike", *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.repo.path,
            env={
                "PATH": f"{BIN}:/usr/bin:/bin",
                "HOME": str(self.repo.path),
                "NO_MKDOCS_2_WARNING": "1",
            },
        )
        assert result.returncode == 0, result.stderr

    def deploy(self, version: str, *alias: str, how: str = "symlink") -> None:
        """Deploy a version."""
        self("deploy", "--update-aliases", f"--alias-type={how}", version, *alias)

    @property
    def pages(self) -> Path:
        """A working tree of what is published."""
        path = self.repo.path.parent / "gh-pages"
        if path.is_dir():
            self.repo.git("worktree", "remove", "--force", path)
        self.repo.git("worktree", "add", "--quiet", path, "gh-pages")
        return path


class Deployed(dict[str, Path]):
    """Trees of the versions 1.0, 2.0, called latest, and 3.0, called dev, by the form of aliases.

    Each is made once.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def __missing__(self, how: str) -> Path:
        (self._folder / how).mkdir()
        mike = Mike(self._folder / how / "project")
        mike.deploy("1.0")
        mike.deploy("2.0", "latest", how=how)
        mike.deploy("3.0", "dev", how=how)
        mike("set-default", "latest")
        self[how] = mike.pages
        return self[how]


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Deployed:
    return Deployed(tmp_path_factory.mktemp("deployed"))


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """The tree that mike would make, by hand."""
    versions = {"3.0": ("dev",), "2.0": ("latest",), "1.0": ()}
    return deploy(tmp_path / "gh-pages", versions)


@pytest.fixture
def mike(tmp_path: Path) -> Mike:
    return Mike(tmp_path / "project")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["symlink", "redirect", "copy"])
def test_the_latest_version_alone_is_listed_and_once(
    how: str, deployed: Deployed, tmp_path: Path
) -> None:
    pages = copy(deployed[how], tmp_path / "gh-pages")
    ran = index(pages)

    assert (ran.status, ran.err) == (0, "")
    assert children(pages / "sitemap.xml") == {
        f"{BASE}2.0/sitemap.xml": "2020-01-01T00:00:00+00:00"
    }
    assert (pages / "robots.txt").read_text() == f"Sitemap: {BASE}sitemap.xml\n"
    assert ran.out.startswith("index: 1 sitemap with 2 URLs in gh-pages/sitemap.xml; ")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["symlink", "redirect", "copy"])
def test_the_check_finds_nothing_in_the_result(
    how: str, deployed: Deployed, tmp_path: Path
) -> None:
    pages = copy(deployed[how], tmp_path / "gh-pages")
    ran = index(pages, "--versions", "all")

    assert not check(pages / "sitemap.xml", base_url=BASE).findings.counts
    # The copies' sitemaps list the originals' pages.
    assert ("2 with addresses outside its folder" in ran.out) == (how == "copy")
    assert sorted(path.parent.name for path in pages.rglob("sitemap.xml.gz")) == [
        "1.0", "2.0", "3.0", *(["dev"] if how == "copy" else []), "gh-pages",
        *(["latest"] if how == "copy" else []),
    ]  # fmt: skip


@pytest.mark.slow
def test_where_the_alias_is_the_original_the_sitemap_is_listed_under_it(tmp_path: Path) -> None:
    mike = Mike(tmp_path / "project", ": {canonical_version: latest}")
    mike.deploy("1.0")
    mike.deploy("2.0", "latest")
    plain = index(pages := mike.pages)
    listed = children(pages / "sitemap.xml")
    every = index(pages, "--versions", "all")

    assert (plain.status, every.status) == (0, 0)
    assert list(listed) == list(children(pages / "sitemap.xml")) == [f"{BASE}latest/sitemap.xml"]
    assert "1 with addresses outside its folder" in every.out
    assert not check(pages / "sitemap.xml", base_url=BASE).findings.counts


@pytest.mark.parametrize(
    ("wanted", "listed"),
    [
        (["all"], ["1.0", "2.0", "3.0"]),
        (["1.0", "latest"], ["1.0", "2.0"]),
        (["dev"], ["3.0"]),
        (["latest"], ["2.0"]),
    ],
)
def test_the_versions_to_list_can_be_named(
    pages: Path, wanted: list[str], listed: list[str]
) -> None:
    ran = index(pages, "--versions", *wanted)

    assert ran.status == 0, ran.err
    assert list(children(pages / "sitemap.xml")) == [f"{BASE}{name}/sitemap.xml" for name in listed]


def test_an_unknown_version_is_a_message_with_the_nearest_one(pages: Path) -> None:
    before = snapshot(pages)
    ran = index(pages, "--versions", "lates")

    assert ran.status == 2
    assert (
        "versions.json has no 'lates'; did you mean 'latest'? (it has 3.0, dev, 2.0, latest, 1.0)"
        in ran.err
    )
    assert snapshot(pages) == before


def test_without_a_latest_one_the_default_decides_or_the_user_is_asked(tmp_path: Path) -> None:
    pages = deploy(tmp_path / "gh-pages", {"2.0": (), "1.0": ()})
    asked = index(pages)
    refresh = '<meta http-equiv="refresh" content="1; url=1.0/">'
    write(pages, {"index.html": page(refresh)})
    told = index(pages)

    assert asked.status == 2
    assert "say with --versions which to list: 2.0, 1.0, or all" in asked.err
    assert told.status == 0
    assert list(children(pages / "sitemap.xml")) == [f"{BASE}1.0/sitemap.xml"]


@pytest.mark.slow
def test_a_tree_below_a_path_gets_a_notice_with_the_line_for_the_root(tmp_path: Path) -> None:
    config = CONFIG.replace("example.org/", "example.org/project/")
    mike = Mike(tmp_path / "project", config=config)
    mike.deploy("1.0", "latest")
    ran = index(pages := mike.pages)

    assert ran.status == 0
    assert list(children(pages / "sitemap.xml")) == [f"{BASE}project/1.0/sitemap.xml"]
    line = f"add this line to {BASE}robots.txt: Sitemap: {BASE}project/sitemap.xml"
    assert ran.err == f"notice: robots.txt: crawlers read no robots.txt below a path; {line}\n"
    assert not (pages / "robots.txt").exists()


@pytest.mark.slow
def test_a_new_version_takes_the_place_of_the_old_one(mike: Mike) -> None:
    mike.deploy("1.0", "latest")
    index(pages := mike.pages)
    mike.repo.git("-C", pages, "add", "--all")
    mike.repo.git("-C", pages, "commit", "--quiet", "--message", "Index")
    mike.deploy("2.0", "latest")
    ran = index(pages := mike.pages)

    assert (ran.status, ran.err) == (0, "")
    assert list(children(pages / "sitemap.xml")) == [f"{BASE}2.0/sitemap.xml"]
    assert "robots.txt names it already" in ran.out


FOREIGN: Mapping[str, str] = {
    "another form": '[{"version": "1.0", "url": "https://example.org/1.0/"}]',
    "no list": '{"1.0": "latest"}',
    "no JSON": "1.0",
    "deep": "[" * 10_000,
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_list_of_versions_that_is_not_mikes_says_nothing(pages: Path, text: str) -> None:
    (pages / "versions.json").write_text(text)
    plain = index(pages)
    asked = index(pages, "--versions", "1.0")

    assert plain.status == 0
    assert asked.status == 2
    assert "has no versions.json of mike" in asked.err


def test_an_alias_in_site_url_is_named(tmp_path: Path) -> None:
    pages = deploy(tmp_path / "gh-pages", {"1.0": ("latest",)}, base_url=f"{BASE}latest/")
    ran = index(pages, f"--base-url={BASE}")

    assert ran.status == 2
    assert "the site's address ends in the alias 'latest' of versions.json" in ran.err


SWITCHER: list[dict[str, object]] = [
    {"version": "dev", "url": "https://example.org/dev/"},
    {"version": "2.1", "url": "https://example.org/stable/", "preferred": True},
    {"version": "1.0", "url": "https://example.org/1.0/"},
]


@pytest.mark.parametrize("place", ["switcher.json", "_static/switcher.json",
                                   "dev/_static/switcher.json"])  # fmt: skip
@pytest.mark.parametrize("preferred", [True, False])
def test_the_pydata_themes_list_of_versions_is_read_and_what_it_means_is_told(
    tmp_path: Path, place: str, preferred: bool
) -> None:
    site = tmp_path / "site"
    for name in ("dev", "stable", "1.0"):
        build(site, f"{name}/", ["", "a/"])
    versions = [{**version, "preferred": preferred and "preferred" in version}
                for version in SWITCHER]  # fmt: skip
    write(site, {place: json.dumps(versions)})
    ran = index(site)

    assert ran.status == 0
    assert list(children(site / "sitemap.xml")) == [f"{BASE}stable/sitemap.xml"]
    assert ran.err == (
        f"notice: {place}: names the folders of versions dev, stable, 1.0; of these, stable is "
        "listed. --versions names others, or all\n"
    )


def test_old_versions_are_known_by_their_canonical_links(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, "stable/", ["", "a/"])
    build(site, "1.0/", ["", "a/"])
    for name in ("", "a/"):
        link = f'<link rel="canonical" href="{BASE}stable/{name}">'
        write(site, {f"1.0/{name}index.html": page(link)})
    ran = index(site)

    assert list(children(site / "sitemap.xml")) == [f"{BASE}stable/sitemap.xml"]
    assert "notice: 1.0/sitemap.xml: is taken for an old version, with copies of other" in ran.err
