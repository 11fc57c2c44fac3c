"""What is fetched for a comparison, and what is not."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.written import BASE, Capsys, diff, entry, index_of, urlset, write
from files import read_table
from loopback import Loopback, Reply, raw, reply, reset, serving, slow, trickle
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.web import Fetcher, RetryPolicy
from sitemap_plugin.errors import SitemapError

CASES = read_table(__file__, "fetching.yaml")

ENTRIES = [entry(), entry("a/", "2024-01-01"), entry("b/")]
SITEMAP = urlset(*ENTRIES).encode()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Loopback]:
    with serving(tmp_path / "served") as site:
        yield site


def unchanged(folder: Path, url: str, *flags: str) -> int:
    """Compare a file with a URL, which has to say the same; return how many addresses it has."""
    local = write(folder, {"local.xml": SITEMAP}) / "local.xml"
    found = diff(local, url, "--timeout", "5", *flags, output=folder / "out.json")
    assert found["added"] == found["removed"] == found["changed"] == []
    return int(found["unchanged"])


def refused(url: str, capsys: Capsys, *flags: str) -> str:
    """Compare a URL with itself, which has to fail; return what is told."""
    policy = ["--timeout", "5", "--max-wait", "0", "--retries", "1"]
    assert main(["diff", url, url, *policy, *flags]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    return shown.err


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "map", "map?format=xml"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_sitemap_is_fetched_whatever_its_address(
    site: Loopback, tmp_path: Path, name: str, packed: bool
) -> None:
    url = site.add(f"/{name}", reply(200, gzip.compress(SITEMAP) if packed else SITEMAP))

    assert unchanged(tmp_path, url) == 3
    assert site.paths() == ["/robots.txt", f"/{name}"]
    assert {asked.headers["user-agent"] for asked in site.asked} == {"sitemap-plugin"}


def test_the_sitemaps_of_an_index_are_fetched_each_once(site: Loopback, tmp_path: Path) -> None:
    parts = {f"part-{number}.xml.gz": urlset(part) for number, part in enumerate(ENTRIES)}
    urls = [site.url + name for name in parts]
    write(
        tmp_path / "served", {"index.xml": index_of(*urls, *urls, f"{site.url}index.xml"), **parts}
    )

    assert unchanged(tmp_path, f"{site.url}index.xml") == 3
    assert site.paths() == ["/robots.txt", "/index.xml", *(f"/{name}" for name in parts)]


def test_the_sitemap_of_a_site_is_the_one_that_its_robots_txt_names(
    site: Loopback, tmp_path: Path
) -> None:
    robots = f"Sitemap: {site.url}map.xml\nSitemap: {BASE}other.xml\n"
    write(tmp_path / "served", {"robots.txt": robots, "map.xml": SITEMAP, "sitemap.xml": urlset()})
    assert unchanged(tmp_path, site.url) == 3


def test_redirects_are_followed(site: Loopback, tmp_path: Path) -> None:
    with serving() as other:
        other.add("/s.xml", reply(200, SITEMAP))
        site.add("/old.xml", reply(301, Location="/new.xml"))
        site.add("/new.xml", reply(302, Location=f"{other.url}s.xml"))

        assert unchanged(tmp_path, f"{site.url}old.xml") == 3
        assert other.paths() == ["/robots.txt", "/s.xml"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (reply(302, Location="/sitemap.xml"), "more than 5 redirects"),
        (reply(302, Location="file:///etc/passwd"),
         "sitemap.xml: the server redirects to what is not fetched"),
        (reply(302, Location="ftp://example.org/"), "only http:// and https://"),
        (reply(302, Location=""), "redirects to nowhere"),
        (reply(302, Location="http://["), "sitemap.xml: "),
        (reply(404), "the server answers 404 Not Found; there is no such file"),
        (reply(401), "wants a password"),
        (reply(403), "forbids it"),
        (reply(500), "the server answers 500"),
        (reply(204), "the server answers 204"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_told(
    site: Loopback, answer: Reply, message: str, capsys: Capsys
) -> None:
    assert message in refused(site.add("/sitemap.xml", answer), capsys)


def test_a_sitemap_on_another_host_is_not_fetched_because_an_index_lists_it(
    site: Loopback, capsys: Capsys
) -> None:
    with serving() as other:
        url = site.add("/index.xml", reply(200, index_of(f"{other.url}s.xml").encode()))

        assert "which is on another host" in refused(url, capsys)
        assert other.asked == []


@pytest.mark.parametrize(
    "broken",
    [
        reset,
        reply(503),
        reply(429, Retry_After="0"),
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + SITEMAP),
        raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"),
        slow(2),
    ],
)
def test_a_file_that_breaks_off_is_fetched_again(
    site: Loopback, tmp_path: Path, broken: Reply
) -> None:
    url = site.add("/sitemap.xml", broken, reply(200, SITEMAP))
    assert unchanged(tmp_path, url, "--timeout", "0.5", "--retries", "9") == 3


def test_a_file_that_trickles_in_without_end_is_given_up(site: Loopback, capsys: Capsys) -> None:
    url = site.add("/sitemap.xml", trickle(b"HTTP/1.1 200 OK\r\n\r\n"))
    told = refused(url, capsys, "--timeout", "0.2", "--retries", "0")
    assert "not complete after 2 seconds" in told


def test_no_more_is_fetched_than_is_allowed(site: Loopback) -> None:
    url = site.add("/sitemap.xml", reply(200, b"x" * 100_001))
    fetcher = Fetcher(RetryPolicy())

    with pytest.raises(SitemapError, match="more than 100,000 bytes"):
        fetcher.read(url, 100_000)
    assert fetcher.read(url, 100_001) == (url, b"x" * 100_001)


@pytest.mark.parametrize("robots", CASES["robots txt is obeyed"])
def test_robots_txt_is_obeyed_and_nothing_fetched_while_a_server_cannot_say_what_it_allows(
    site: Loopback, robots: str | None, capsys: Capsys
) -> None:
    site.add("/robots.txt", reply(200, robots.encode()) if robots else reply(503))
    told = refused(site.add("/sitemap.xml", reply(200, SITEMAP)), capsys)

    forbidden = "robots.txt forbids to fetch it by 'Disallow: /"
    assert (forbidden if robots else "does not say what is allowed") in told
    assert set(site.paths()) == {"/robots.txt"}


@pytest.mark.parametrize("robots", [reply(404), reply(403), reply(301, Location="/robots.txt")])
def test_a_robots_txt_that_is_not_there_forbids_nothing(
    site: Loopback, tmp_path: Path, robots: Reply
) -> None:
    site.add("/robots.txt", robots)
    assert unchanged(tmp_path, site.add("/sitemap.xml", reply(200, SITEMAP))) == 3


@pytest.mark.parametrize(("url", "message"), CASES["a url that leads nowhere is told"])
def test_a_url_that_leads_nowhere_is_told(url: str, message: str, capsys: Capsys) -> None:
    told = refused(url, capsys)
    assert message in told
    assert "secret" not in told


WRONG = ("timeout=0", "timeout=nan", "timeout=soon", "max-wait=-1", "max-wait=1e9", "retries=-1",
         "retries=101", "retries=x")  # fmt: skip


@pytest.mark.parametrize("flag", WRONG)
def test_times_that_make_no_sense_are_refused(flag: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["diff", "a", "b", f"--{flag}"])
    assert stopped.value.code == 2
