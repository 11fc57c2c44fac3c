"""``sitemap-plugin indexnow`` tells search engines what has changed, and nothing else."""

import io
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from commands.written import Capsys, entry, urlset, write
from files import read_table
from loopback import Loopback, Reply, indexnow, reply, reset, serving
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.indexnow import ENDPOINT, MEANINGS, Key, add_arguments, send_all
from sitemap_plugin.commands.web import Fetcher, RetryPolicy

TABLES = read_table(__file__, "indexnow.yaml")
KEY = "0123456789abcdef"
OLD = {"": "2024-01-01", "same/": "2024-01-01", "gone/": "2024-01-01"}
NEW = {"": "2024-02-02", "same/": "2024-01-01", "more/": "2024-02-02"}


class Place(NamedTuple):
    """Where a test takes place: two builds in folders, and two servers."""

    root: Path
    site: Loopback
    engine: Loopback

    def build(self, name: str, pages: dict[str, str], below: str = "") -> None:
        """Write the sitemap of pages with their dates, the pages, and the key's file."""
        base = self.site.url + below
        entries = (entry(path, date, base=base) for path, date in pages.items())
        files = {f"{path}index.html": "" for path in pages}
        write(self.root / name, {**files, "sitemap.xml": urlset(*entries), f"{KEY}.txt": KEY})

    def announce(self, *arguments: str | Path, old: str = "old", new: str = "new") -> int:
        """Run the command for two builds, or for a list if ``old`` is empty; return its status."""
        targets = [str(self.root / name) for name in (old, new) if old]
        flags = ["--endpoint", f"{self.engine.url}indexnow", "--timeout", "5", "--max-wait", "0"]
        return main(["indexnow", *targets, *flags, *map(str, arguments)])

    def announce_list(self, text: str, *arguments: str | Path) -> int:
        """Run the command for a list of paths, one a line."""
        listed = self.root / "urls.txt"
        listed.write_text("".join(f"{self.site.url}{line}" for line in text.splitlines(True)))
        return self.announce("--urls", listed, "--key", KEY, *arguments, old="")

    def urls(self, *paths: str) -> list[str]:
        """Return the URLs of pages."""
        return [self.site.url + path for path in paths]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with serving(tmp_path / "new") as site, serving() as engine:
        place = Place(tmp_path, site, engine)
        engine.add("/indexnow", indexnow)
        place.build("old", OLD)
        place.build("new", NEW)
        yield place


def test_what_two_builds_differ_in_is_announced(place: Place, capsys: Capsys) -> None:
    assert place.announce() == 0
    content = {"host": place.site.url.split("/")[2], "key": KEY}
    location, urls = f"{place.site.url}{KEY}.txt", place.urls("", "gone/", "more/")
    assert place.engine.posted == [{**content, "keyLocation": location, "urlList": urls}]
    (asked,) = place.engine.asked
    assert asked.headers["content-type"] == "application/json; charset=utf-8"
    assert asked.headers["user-agent"] == "sitemap-plugin"
    assert "3 URLs: 200: the URLs were received" in capsys.readouterr().out


def test_a_dry_run_and_two_equal_builds_send_nothing(place: Place, capsys: Capsys) -> None:
    assert place.announce("--dry-run") == 0
    out = capsys.readouterr().out
    assert "would announce 3 URLs" in out
    assert all(f"  {url}\n" in out for url in place.urls("", "gone/", "more/"))
    assert place.announce(new="old") == 0
    assert "nothing to announce" in capsys.readouterr().out
    assert place.engine.asked == []


def test_a_list_of_urls_is_announced_each_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = io.TextIOWrapper(io.BytesIO(f"{place.site.url}a\n".encode()))
    monkeypatch.setattr(sys, "stdin", text)

    assert place.announce_list("a\r\n\u00e4 b\na\n") == 0
    assert place.announce("--urls", "-", "--key", KEY, old="") == 0
    lists = [posted["urlList"] for posted in place.engine.posted]
    assert lists == [place.urls("a", "%C3%A4%20b"), place.urls("a")]


def test_what_diff_lists_can_be_announced_after_the_deployment(
    place: Place, capsys: Capsys
) -> None:
    listed, key = place.root / "urls.txt", place.root / "new" / f"{KEY}.txt"
    old, new = (str(place.root / name) for name in ("old", "new"))
    main(["diff", old, new, "--format", "urls", "--output", str(listed)])

    assert place.announce("--urls", listed, "--key-file", key, "--format", "json", old="") == 0
    assert place.engine.posted[0]["urlList"] == place.urls("", "gone/", "more/")
    result = json.loads(capsys.readouterr().out)
    assert result["urls"] == place.urls("", "gone/", "more/")
    assert result["announced"] == 3
    assert [request["status"] for request in result["requests"]] == [200]


def test_at_most_ten_thousand_urls_are_sent_at_once_until_a_request_is_refused(
    place: Place,
) -> None:
    text = "".join(f"{number}\n" for number in range(10_001))
    assert place.announce_list(text) == 0
    sent = [posted["urlList"] for posted in place.engine.posted]

    assert [len(urls) for urls in sent] == [10_000, 1]
    assert len({url for urls in sent for url in urls}) == 10_001
    place.engine.add("/indexnow", reply(422), indexnow)
    assert place.announce_list(text) == 1
    assert len(place.engine.posted) == 3


@pytest.mark.parametrize(
    ("name", "text", "flag"),
    [
        ("sitemap.toml", f'indexnow_key = "{KEY}"', None),
        ("pyproject.toml", f'[tool.sitemap-plugin]\nindexnow_key = "{KEY}"', None),
        ("other.toml", f'indexnow_key = "{KEY}"', "--config=other.toml"),
        ("key", f"{KEY}\n", "--key-file=key"),
    ],
)
def test_the_key_is_found_where_it_is_kept(
    place: Place, name: str, text: str, flag: str | None
) -> None:
    Path(name).write_text(text)
    (place.root / "new" / "another-key-here.txt").write_text("another-key-here")

    assert place.announce(*[flag] if flag else []) == 0
    assert place.engine.posted[0]["key"] == KEY


def test_the_key_is_that_of_the_path_or_without_pages_that_of_the_host(place: Place) -> None:
    place.site.folder = place.root / "host"
    place.build("before", OLD, "docs/")
    place.build("host/docs", NEW, "docs/")

    assert place.announce(old="before", new="host/docs") == 0
    assert place.engine.posted[0]["keyLocation"] == f"{place.site.url}docs/{KEY}.txt"
    assert place.engine.posted[0]["urlList"][0] == f"{place.site.url}docs/"
    place.site.folder = place.root / "new"
    for page in place.site.folder.rglob("index.html"):
        page.unlink()
    assert place.announce() == 0
    assert place.engine.posted[1]["keyLocation"] == f"{place.site.url}{KEY}.txt"


@pytest.mark.parametrize(("arguments", "message"), TABLES["refused"])
def test_what_cannot_be_announced_is_refused_before_anything_is_sent(
    arguments: str, message: str, capsys: Capsys
) -> None:
    write(Path(), dict(TABLES["lists"]))
    assert main(["indexnow", *arguments.split()]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("url", ["www.bing.com", "ftp://h/", "https://", "http://u:pw@h/"])
@pytest.mark.parametrize("flag", ["--endpoint", "--key-location"])
def test_a_flag_that_is_no_url_is_refused(flag: str, url: str, capsys: Capsys) -> None:
    assert main(["indexnow", "old", "new", flag, url]) == 2
    assert "pw" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("files", "key", "message"),
    [
        ({f"{KEY}.txt": "something else"}, KEY, "is to hold the key"),
        ({}, "another-key-here", "the key's file is needed"),
        ({}, "redirected-key", "it redirects to"),
        ({"another-key-here.txt": "another-key-here"}, None, "give --key"),
        ({"sitemap.xml": urlset()}, None, "it lists nothing"),
    ],
)
def test_without_the_right_key_and_a_list_nothing_is_sent(
    place: Place, files: dict[str, str], key: str | None, message: str, capsys: Capsys
) -> None:
    write(place.root / "new", files)
    place.site.add("/redirected-key.txt", reply(302, Location=f"/{KEY}.txt"))

    assert place.announce(*["--key", key] if key else []) == 2
    assert message in capsys.readouterr().err
    assert place.engine.asked == []


def test_what_was_announced_is_told_even_if_the_output_cannot_be_written(
    place: Place, tmp_path: Path, capsys: Capsys
) -> None:
    assert place.announce("--output", tmp_path) == 1
    shown = capsys.readouterr()
    assert "cannot be written" in shown.err
    assert "3 of 3 URLs" in shown.out


@pytest.mark.parametrize("status", [200, 202, 204, 302, 400, 403, 404, 418, 422])
def test_each_final_status_is_explained_and_not_asked_for_again(
    place: Place, status: int, capsys: Capsys
) -> None:
    target = place.engine.add("/elsewhere", reply(200))
    body = b'{"message":\n"So it\x1b[31m is"}' * 9999 if status != 204 else b""
    place.engine.add("/indexnow", reply(status, body, Location=target))
    is_accepted = status in {200, 202}

    assert place.announce() == int(not is_accepted)
    out = capsys.readouterr().out
    assert f"3 URLs: {status}: {MEANINGS.get(status, '')}" in out
    assert ("So it\\x1b[31m is" in out) is (status not in {200, 202, 204})
    assert f"it leads to {target}" in out
    assert len(out) < 1000
    assert (place.engine.paths("POST"), place.engine.paths("GET")) == (["/indexnow"], [])
    assert f"{3 * is_accepted} of 3 URLs" in out


def sent(place: Place, *replies: Reply, retries: int = 3) -> tuple[int | None, str, list[float]]:
    """Announce one URL to a server with some replies; return status, meaning, and the waits."""
    slept: list[float] = []
    endpoint = place.engine.add("/indexnow", *replies)
    key = Key("0123456789", "https://example.org/0123456789.txt", "")
    fetcher = Fetcher(RetryPolicy(5, retries, 120, slept.append))
    (outcome,) = send_all(["https://example.org/"], key, endpoint, fetcher)
    return outcome["status"], outcome["meaning"], slept


@pytest.mark.parametrize("busy", [reply(429), reply(500), reply(503), reset])
def test_a_server_that_is_busy_is_asked_again_after_longer_and_longer_waits(
    place: Place, busy: Reply
) -> None:
    status, _, slept = sent(place, *[busy] * 3, reply(200))
    assert (status, slept) == (200, [2, 4, 8])


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_server_that_stays_busy_is_left_alone_at_last(place: Place, retries: int) -> None:
    status, meaning, slept = sent(place, reply(503), retries=retries)

    assert status == 503
    assert "try again later" in meaning
    assert (len(place.engine.asked), len(slept)) == (retries + 1, retries)
    assert sent(place, reset, retries=0)[0] is None


@pytest.mark.parametrize(("value", "waits"), TABLES["waits"])
def test_a_server_is_given_the_time_that_it_asks_for(
    place: Place, value: str, waits: list[int]
) -> None:
    status, meaning, slept = sent(place, reply(429, Retry_After=value), reply(200))
    assert (status, slept) == (200 if waits else 429, waits)
    assert waits or f"wait {value} seconds" in meaning


def test_nobody_at_the_endpoint_is_told_at_once(place: Place, capsys: Capsys) -> None:
    parser = ArgumentParser()
    add_arguments(parser)

    assert parser.parse_args([]).endpoint == ENDPOINT
    assert place.announce("--endpoint", "http://127.0.0.1:9/indexnow") == 1
    assert "no connection to the server" in capsys.readouterr().out
