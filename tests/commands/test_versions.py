"""Trees of versions, some made by mike itself in a git repository."""

import json
import subprocess
from pathlib import Path

import pytest

from commands.written import BASE, build, children, deploy, index, joined, listed, page, write
from files import BIN
from git_repositories import Repo
from sitemap_plugin.commands.check.folder import check

CONFIG = """\
site_name: Docs
site_url: https://example.org/
plugins: [search, sitemap, mike]
"""


class Mike:
    """A project whose documentation mike deploys."""

    def __init__(self, path: Path, config: str = CONFIG) -> None:
        self.repo = Repo.make(path)
        self.repo.git("config", "user.name", "A")
        self.repo.git("config", "user.email", "a@example.org")
        pages = {"docs/index.md": "# Home", "docs/new.md": "# New"}
        self.repo.commit(0, {"mkdocs.yml": config, **pages})

    def __call__(self, *arguments: str) -> None:
        """Run mike."""
        env = {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(self.repo.path),
               "NO_MKDOCS_2_WARNING": "1"}  # fmt: skip
        subprocess.run([BIN / "mike", *arguments], check=True, cwd=self.repo.path, env=env)

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


def versions_of(pages: Path) -> list[str]:
    """Return the folders whose sitemaps are listed."""
    return [path.removesuffix("/sitemap.xml") for path in listed(pages)]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """The tree that mike would make, by hand."""
    versions = {"3.0": ("dev",), "2.0": ("latest",), "1.0": ()}
    return deploy(tmp_path / "gh-pages", versions)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["symlink", "redirect", "copy"])
def test_the_latest_version_alone_is_listed_and_once_unless_others_are_named(
    how: str, tmp_path: Path
) -> None:
    mike = Mike(tmp_path / "project")
    for version, *alias in (("1.0",), ("2.0", "latest"), ("3.0", "dev")):
        mike.deploy(version, *alias, how=how)
    mike("set-default", "latest")
    ran = index(pages := mike.pages)

    assert ran.status == 0
    # The copies' sitemaps list the originals' pages.
    assert ran.err.count("latest/sitemap.xml: with addresses outside") == (how == "copy")
    dates = {f"{BASE}2.0/sitemap.xml": "2020-01-01T00:00:00+00:00"}
    assert children(pages / "sitemap.xml") == dates
    assert (pages / "robots.txt").read_text() == f"Sitemap: {BASE}sitemap.xml\n"
    assert ran.out.startswith("index: 1 sitemap with 2 URLs in gh-pages/sitemap.xml; ")
    every = index(pages, "--versions", "all")
    assert versions_of(pages) == ["1.0", "2.0", "3.0"]
    assert not check(pages / "sitemap.xml", base_url=BASE).findings.counts
    assert ("2 with addresses outside its folder" in every.out) == (how == "copy")


@pytest.mark.slow
def test_where_the_alias_is_the_original_the_sitemap_is_listed_under_it(tmp_path: Path) -> None:
    mike = Mike(tmp_path / "project", CONFIG.replace("mike", "mike: {canonical_version: latest}"))
    mike.deploy("1.0")
    mike.deploy("2.0", "latest")
    plain = index(pages := mike.pages)
    before = versions_of(pages)
    every = index(pages, "--versions", "all")

    assert (plain.status, every.status) == (0, 0)
    assert before == versions_of(pages) == ["latest"]
    assert "1 with addresses outside its folder" in every.out
    assert not check(pages / "sitemap.xml", base_url=BASE).findings.counts


@pytest.mark.slow
def test_a_tree_below_a_path_gets_a_notice_and_a_new_version_takes_the_place_of_the_old_one(
    tmp_path: Path,
) -> None:
    mike = Mike(tmp_path / "project", CONFIG.replace("example.org/", "example.org/project/"))
    mike.deploy("1.0", "latest")
    ran = index(pages := mike.pages)

    assert ran.status == 0
    assert versions_of(pages) == ["project/1.0"]
    line = f"add this line to {BASE}robots.txt: Sitemap: {BASE}project/sitemap.xml"
    assert ran.err == f"notice: robots.txt: crawlers read no robots.txt below a path; {line}\n"
    assert not (pages / "robots.txt").exists()
    mike.repo.git("-C", pages, "add", "--all")
    mike.repo.git("-C", pages, "commit", "--quiet", "--message", "Index")
    mike.deploy("2.0", "latest")
    index(pages := mike.pages)
    assert versions_of(pages) == ["project/2.0"]


@pytest.mark.parametrize(
    ("wanted", "versions"),
    [("", "2.0"), ("all", "1.0 2.0 3.0"), ("1.0 latest", "1.0 2.0"), ("dev", "3.0")],
)
def test_the_versions_to_list_can_be_named(pages: Path, wanted: str, versions: str) -> None:
    flags = ["--versions", *wanted.split()] if wanted else []
    assert joined(pages, *flags) == [f"{version}/sitemap.xml" for version in versions.split()]


def test_without_a_latest_one_the_default_decides_or_the_user_is_asked(tmp_path: Path) -> None:
    pages = deploy(tmp_path / "gh-pages", {"2.0": (), "1.0": ()})
    asked = index(pages)
    write(pages, {"index.html": page('<meta http-equiv="refresh" content="1; url=1.0/">')})
    misspelt = index(pages, "--versions", "1.00")

    assert (asked.status, misspelt.status) == (2, 2)
    assert "versions.json has no '1.00'; did you mean '1.0'? (it has 2.0, 1.0)" in misspelt.err
    assert "say with --versions which to list: 2.0, 1.0, or all" in asked.err
    assert joined(pages) == ["1.0/sitemap.xml"]
    assert joined(deploy(tmp_path / "only", {"2.0": ("two",)})) == ["2.0/sitemap.xml"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"version": "1.0", "url": "https://example.org/1.0/"}]',
        '{"1.0": "latest"}',
        '[{"version": "1.0", "aliases": [["a"]]}, 7]',
        "1.0",
        "[" * 10_000,
    ],
    ids=lambda text: text[:20],
)
def test_a_list_of_versions_that_is_not_mikes_says_nothing(pages: Path, text: str) -> None:
    (pages / "versions.json").write_text(text)
    plain, asked = index(pages), index(pages, "--versions", "1.0")

    assert (plain.status, asked.status) == (0, 2)
    assert "has no versions.json of mike" in asked.err


def test_an_alias_in_site_url_is_named(tmp_path: Path) -> None:
    pages = deploy(tmp_path / "gh-pages", {"1.0": ("latest",)}, base_url=f"{BASE}latest/")
    ran = index(pages, f"--base-url={BASE}")

    assert ran.status == 2
    assert "the site's address ends in the alias 'latest' of versions.json" in ran.err


@pytest.mark.parametrize("place", ["switcher.json", "_static/switcher.json",
                                   "dev/_static/switcher.json"])  # fmt: skip
@pytest.mark.parametrize(("preferred", "version"), [("1.0", "1.0"), (None, "stable")])
def test_the_pydata_themes_list_of_versions_is_read(
    tmp_path: Path, place: str, preferred: str | None, version: str
) -> None:
    site = tmp_path / "site"
    names = ("dev", "stable", "1.0")
    for name in names:
        build(site, f"{name}/", ["", "a/"])
    versions = [{"url": f"{BASE}{name}/", "preferred": name == preferred} for name in names]
    write(site, {place: json.dumps(versions)})
    ran = index(site)

    assert (ran.status, ran.err) == (0, "")
    assert versions_of(site) == [version]
    assert "2 left out (2 another version)" in ran.out
