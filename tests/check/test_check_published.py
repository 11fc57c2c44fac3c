"""A published site is checked as search engines see it, whatever its server does."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from check.example import codes, link, page, urlset, write
from files import read_table
from loopback import Loopback, Reply, raw, reply, reset, serving, slow, trickle
from sitemap_plugin.commands.check.findings import CheckOutcome
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.check.published_site import Visit, check_published
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.web import FetchError, RetryPolicy

QUICK = Visit(delay=0, policy=RetryPolicy(timeout=0.2, retries=0, sleep=lambda _seconds: None))
CASES = read_table(__file__, "check_published.yaml")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Loopback]:
    """Serve a site with nothing wrong."""
    with serving(tmp_path / "site") as site:
        publish(site, "", "a.html", "b.html")
        yield site


def publish(site: Loopback, *paths: str, robots: str | None = None) -> None:
    """Write a site whose sitemap lists some paths, and the pages behind them."""
    assert site.folder
    pages = {path or "index.html": page() for path in paths}
    listed = urlset(*(f"<loc>{site.url}{path}</loc>" for path in paths))
    lines = f"Sitemap: {site.url}sitemap.xml\n" if robots is None else robots
    write(site.folder, {"sitemap.xml": listed, "robots.txt": lines, **pages})


def checked(site: Loopback, path: str = "", against: Path | None = None) -> CheckOutcome:
    """Check what a server publishes."""
    return check_published(site.url + path, QUICK, against=against)


def found(site: Loopback, against: Path | None = None) -> set[tuple[str, str]]:
    """Return what is found: codes with the paths of the pages concerned."""
    items = checked(site, against=against).findings.sorted()
    return {(item.code, (item.url or item.path).removeprefix(site.url)) for item in items}


def test_a_site_that_is_right_has_no_finding(server: Loopback) -> None:
    outcome = checked(server)
    asked = ["/", "/a.html", "/b.html", "/llms.txt", "/robots.txt", "/sitemap.xml"]

    assert sorted(server.paths()) == asked
    assert {each.headers["user-agent"] for each in server.asked} == {"sitemap-plugin"}

    assert codes(outcome) == set()
    assert (outcome.files, outcome.urls, outcome.pages) == (1, 3, 3)
    assert outcome.notes[0].startswith(f"{server.url}sitemap.xml: 200, ")
    assert outcome.notes[0] in FORMATS["text"](outcome)
    assert outcome.notes[0] in FORMATS["json"](outcome)


@pytest.mark.parametrize(("status", "headers", "head", "code"), CASES["pages"])
def test_what_is_wrong_with_a_page_is_found(
    server: Loopback, status: int, headers: dict[str, str], head: str, code: str | None
) -> None:
    server.add("/a.html", reply(status, page(head).encode(), **headers))

    assert found(server) == ({(code, "a.html")} if code else set())


BROKEN: dict[str, Reply] = {
    **{kind: raw(text.encode()) for kind, text in CASES["answers"]},
    **{f"redirect to {to}": reply(302, Location=to) for to in CASES["targets"]},
    "redirect to nowhere": reply(302),
    "reset": reset,
    "silence": slow(0.5),
    "head without end": trickle(b"HTTP/1.1 200 OK\r\nX-A: "),
    "body without end": trickle(b"HTTP/1.1 200 OK\r\n\r\n"),
    "huge header": raw(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000 + b"\r\n\r\nabc"),
    "many headers": raw(b"HTTP/1.1 200 OK\r\n" + b"X: a\r\n" * 5000 + b"\r\nabc"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_server_that_misbehaves_is_a_finding(server: Loopback, kind: str) -> None:
    assert server.folder
    lines = f"Sitemap: {server.url}sitemap.xml\nUser-agent: *\nDisallow: /private\n"
    write(server.folder, {"robots.txt": lines})
    server.add("/a.html", BROKEN[kind])
    start = time.monotonic()
    outcome = checked(server)

    assert codes(outcome) == {"page-status"}
    assert "secret" not in FORMATS["text"](outcome)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("kind", ["reset", "silence", "ends early", "not HTTP", "gzip"])
def test_a_sitemap_that_a_server_spoils_is_a_finding(server: Loopback, kind: str) -> None:
    server.add("/sitemap.xml", BROKEN[kind])
    outcome = checked(server)

    assert "sitemap-status" in codes(outcome)
    assert outcome.pages == 0


def test_a_server_that_keeps_failing_is_left_alone(server: Loopback) -> None:
    paths = [f"{number}.html" for number in range(40)]
    publish(server, *paths)
    for path in paths:
        server.add(f"/{path}", reset)
    outcome = checked(server)

    assert outcome.findings.counts["page-status"] == 40
    assert len(server.paths()) < 10


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (reply(404), "sitemap-status"),
        (reply(200, urlset().encode(), Content_Type="text/html;x=y"), "sitemap-content-type"),
        (reply(301, Location="/other.xml"), "sitemap-redirect"),
        (reply(200, b"<!doctype html><title>404</title>"), "unsupported-format"),
    ],
)
def test_how_a_sitemap_is_served_is_judged(server: Loopback, answer: Reply, code: str) -> None:
    assert server.folder
    write(server.folder, {"other.xml": (server.folder / "sitemap.xml").read_bytes()})
    server.add("/sitemap.xml", answer)

    assert code in codes(checked(server))


def test_one_sitemap_may_be_named(server: Loopback) -> None:
    publish(server, "", "a.html", robots="")
    outcome = checked(server, "sitemap.xml")

    assert (codes(outcome), outcome.pages) == (set(), 2)


@pytest.mark.parametrize(("robots", "code", "path"), CASES["robots"])
def test_robots_txt_is_judged(server: Loopback, robots: str, code: str, path: str) -> None:
    publish(server, "", "a.html", robots=robots.format(server.url))

    assert found(server) == {(code, path)}


def test_what_robots_txt_forbids_to_this_program_is_not_fetched(server: Loopback) -> None:
    line = f"Sitemap: {server.url}sitemap.xml\nUser-agent: sitemap-plugin\nDisallow: /a"
    publish(server, "", "a.html", robots=line)

    assert found(server) == {("page-status", "a.html")}
    assert "/a.html" not in server.paths()


def test_a_sample_is_spread_evenly(server: Loopback) -> None:
    paths = [f"{number}.html" for number in range(20)]
    publish(server, *paths)
    few = check_published(server.url, QUICK._replace(sample=4))

    assert few.pages == 4
    fetched = [path for path in server.paths() if "html" in path]
    assert fetched == ["/0.html", "/5.html", "/10.html", "/15.html"]
    assert check_published(server.url, QUICK._replace(sample=None)).pages == 20


def test_the_pause_between_requests_is_kept(server: Loopback) -> None:
    waits: list[float] = []
    visit = Visit(delay=7, policy=QUICK.policy._replace(sleep=waits.append))
    check_published(server.url, visit)

    assert waits == [7.0] * (len(server.asked) - 1)


def test_languages_of_pages_are_compared_with_their_links(server: Loopback) -> None:
    both = link("en", f"{server.url}en.html") + link("ja", f"{server.url}ja.html")
    other = f'<link rel="alternate" hreflang="ja" href="{server.url}x.html">'
    entries = [f"<loc>{server.url}{name}.html</loc>{both}" for name in ("en", "ja")]
    assert server.folder
    pages = {"en.html": page(other, language="en"), "ja.html": page(language="ko")}
    write(server.folder, {"sitemap.xml": urlset(*entries), **pages})
    faults = ("hreflang-language-differs", "page-hreflang-differs")

    assert found(server) == {(code, "en.html") for code in faults}


def test_the_links_of_llms_txt_are_checked(server: Loopback) -> None:
    assert server.folder
    write(server.folder, {"llms.txt": "# Site\n- [A](/a.html): a\n- [gone](gone.html#x)\n"})
    [item] = checked(server).findings.sorted()

    assert (item.code, item.line, item.url) == ("page-missing", 3, f"{server.url}gone.html")
    assert item.path == f"{server.url}llms.txt"


def test_what_differs_from_the_built_folder_is_told(server: Loopback, tmp_path: Path) -> None:
    built = urlset(*(f"<loc>{server.url}{path}</loc>" for path in ("", "a.html", "new.html")))
    write(tmp_path / "built", {"sitemap.xml": built, "new.html": page()})

    differing = {("published-differs", name) for name in ("b.html", "new.html")}
    assert found(server, against=tmp_path / "built") == differing


def test_after_an_interrupt_there_is_what_was_found_so_far(server: Loopback) -> None:
    def interrupt(message: str) -> None:
        if "page 3" in message:
            raise KeyboardInterrupt

    server.add("/a.html", reply(404))
    outcome = check_published(server.url, QUICK._replace(tell=interrupt))

    assert codes(outcome) == {"page-missing"}
    assert outcome.interrupted
    assert "Interrupted" in FORMATS["text"](outcome)


@pytest.mark.parametrize(
    "target", ["http://me:secret@127.0.0.1/", "ftp://me:secret@h/x", "http://a b/"]
)
def test_what_cannot_be_fetched_is_refused(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FetchError):
        check_published(target, QUICK)
    assert main(["check", target]) == 2

    error = capsys.readouterr().err
    assert "secret" not in error
    assert len(error.splitlines()) == 1


def test_the_command_checks_a_url(server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
    server.add("/a.html", reply(404))

    assert main(["check", server.url, "--delay", "0", "--sample", "10"]) == 1
    out, err = capsys.readouterr()
    assert "[page-missing]" in out
    assert out.endswith("1 error in 3 addresses, 1 sitemap, 3 pages\n")
    assert err == ""
    assert main(["check", server.url, "--delay", "0", "--fail-on", "never", "--all"]) == 0
