"""``sitemap-plugin build``, as people run it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from files import read_table, write_files
from sitemap_plugin.commands.cli import main
from sitemaps import read_sitemap

CASES = read_table(__file__, "command.yaml")

ROOT = Path(__file__).parents[2]
PAGE = "<!doctype html><html><head><title>T</title></head><body></body></html>"
BASE = "--base-url=https://example.org/"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in a folder with a small site; return status, output and messages."""
    write_files(tmp_path / "site", dict.fromkeys(("index.html", "a.html", "b/index.html"), PAGE))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            status = main(["build", *arguments])
        except SystemExit as error:
            status = int(error.code or 0)
        return status, *capsys.readouterr()

    return run


def locs() -> list[str]:
    urls = read_sitemap(Path("site/sitemap.xml"))
    return [url.loc.removeprefix("https://example.org/") for url in urls]


def test_a_folder_gets_its_sitemap_with_nothing_but_the_base_url(run: Run) -> None:
    assert run("site", BASE)[::2] == (0, "")
    assert locs() == ["", "a.html", "b/"]


@pytest.mark.parametrize(("name", "text"), CASES["options are found in the current folder"])
def test_options_are_found_in_the_current_folder(run: Run, name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")
    assert run("site")[0] == 0
    assert locs() == ["", "a.html"]


def test_a_named_file_is_read_and_flags_win_over_it(run: Run) -> None:
    Path("other.toml").write_text('exclude = ["b/"]\npriority = 0.5\n')
    flags = ["--exclude=a.html", "--exclude=x/", "--gzip=false", "--priority=1"]

    assert run("site", BASE, "--config=other.toml", *flags)[0] == 0
    assert locs() == ["", "b/"]
    assert {url.priority for url in read_sitemap(Path("site/sitemap.xml"))} == {"1.0"}
    assert not Path("site/sitemap.xml.gz").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "error: name the folder of HTML"),
        (["gone", BASE], "error: gone: there is no such folder"),
        (["site"], "error: --base-url: not set"),
        (["site", "--base-url=www.example.org"], "write 'https://www.example.org/'"),
        (["site", BASE, "--config=bad.toml"], "error: bad.toml: not TOML"),
        (["site", "--config=base.toml"], "error: base.toml: base_url: "),
        (["site", BASE, "--no-such=1"], "unrecognized arguments"),
        (["site", BASE, "--priority=7"], "error: --priority: expected a number from 0.0 to 1.0"),
        (["site", BASE, "--config=gone.toml"], "error: gone.toml: cannot be read"),
        (["site", BASE, "--source=gone"], "there is no folder"),
    ],
)
def test_a_wrong_call_is_a_message_and_status_2(
    run: Run, arguments: list[str], message: str
) -> None:
    Path("bad.toml").write_text("exclude: [a]")
    Path("base.toml").write_text("base_url = 'example.org'\n")
    status, _, told = run(*arguments)

    assert status == 2
    assert message in told


@pytest.mark.parametrize("name", ["sitemap.toml", "pyproject.toml", "other.toml"])
def test_each_wrong_option_is_told_with_the_file_or_the_flag_that_sets_it(
    run: Run, name: str
) -> None:
    Path(name).write_text("[tool.sitemap-plugin]\nmax-urls = 5\npriority = 7\n")
    more = ["--config", name] if name == "other.toml" else []
    told = run("site", BASE, "--max-bytes=0", "--priority=8", *more)[2]

    assert {line.split(";")[0] for line in told.splitlines()} == {
        f"error: {name}: max-urls: unknown option",
        "error: --priority: expected a number from 0.0 to 1.0, got 8",
        "error: --max-bytes: expected a whole number from 1 to 52428800, got 0",
    }


def test_warnings_are_told_and_fail_a_strict_run(run: Run) -> None:
    lax = run("site", BASE, "--exclude=nothing/")
    strict = run("site", BASE, "--exclude=nothing/", "--strict=true")
    short = run(BASE, "--exclude=nothing/", "--strict", "site")

    assert (lax[0], strict[0], short[0]) == (0, 1, 1)
    assert lax[2].startswith("warning: exclude[0]: 'nothing/' matches no page")


def test_the_sample_site_gives_its_golden_sitemap(run: Run) -> None:
    shutil.copytree(ROOT / "sample_sites/html", ".", dirs_exist_ok=True)
    for name in ("a.html", "b/index.html"):
        Path("site", name).unlink()
    status, told, _ = run("site")

    assert status == 0
    golden = Path(__file__).parent / "golden.xml"
    assert Path("site/sitemap.xml").read_text() == golden.read_text()
    left_out = "5 left out (1 error page, 1 fragment, 1 noindex, 1 redirect, 1 search page)"
    assert left_out in told


def test_of_many_problems_of_one_kind_ten_are_told(run: Run) -> None:
    for number in range(15):
        date = f'<meta property="article:published_time" content="2024-13-{number:02}">'
        Path("site", f"{number}.html").write_text(PAGE.replace("</head>", f"{date}</head>"))
    *lines, last = run("site", BASE, "--exclude=nothing/")[2].splitlines()

    assert len([line for line in lines if "2024-13-" in line]) == 10
    assert [line for line in lines if "nothing/" in line]
    assert last.endswith("(5 more like this)")
    assert "HTML head '...': '...' is no date" in last
