"""``sitemap-plugin indexnow`` tells search engines what has changed, and nothing else."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from commands.place import KEY, Announce, Place
from loopback import serving
from sitemap_plugin.commands.cli import main


def test_what_two_builds_differ_in_is_announced(
    place: Place, announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    status = announce()

    assert status == 0
    assert place.engine.posted == [
        {
            "host": place.site.url.split("/")[2],
            "key": KEY,
            "keyLocation": f"{place.site.url}{KEY}.txt",
            "urlList": place.urls("", "gone/", "more/"),
        }
    ]
    (asked,) = place.engine.asked
    assert asked.headers["content-type"] == "application/json; charset=utf-8"
    assert asked.headers["user-agent"] == "sitemap-plugin"
    assert "3 URLs: 200: the URLs were received" in capsys.readouterr().out


def test_a_dry_run_tells_what_it_would_do_and_sends_nothing(
    place: Place, announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    status = announce("--dry-run")
    out = capsys.readouterr().out

    assert status == 0
    assert place.engine.asked == []
    assert "would announce 3 URLs" in out
    assert all(f"  {url}\n" in out for url in place.urls("", "gone/", "more/"))


def test_nothing_is_announced_where_nothing_has_changed(
    place: Place, announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    place.build(place.new, {"": "2024-01-01", "same/": "2024-01-01", "gone/": "2024-01-01"})

    assert announce() == 0
    assert place.engine.asked == []
    assert "nothing to announce" in capsys.readouterr().out


def test_a_list_of_urls_is_announced(place: Place, announce: Announce) -> None:
    listed = place.root / "urls.txt"
    listed.write_text(f"\ufeff{place.site.url}a\r\n\r\n{place.site.url}ä b\n{place.site.url}a\n")

    assert announce("--urls", listed, "--key", KEY, between=False) == 0
    assert place.engine.posted[0]["urlList"] == place.urls("a", "%C3%A4%20b")


def test_a_list_of_urls_is_read_from_the_standard_input(
    place: Place, announce: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = io.TextIOWrapper(io.BytesIO(f"{place.site.url}a\n".encode()))
    monkeypatch.setattr(sys, "stdin", text)

    assert announce("--urls", "-", "--key", KEY, between=False) == 0
    assert place.engine.posted[0]["urlList"] == place.urls("a")


def test_what_diff_lists_can_be_announced_after_the_deployment(
    place: Place, announce: Announce
) -> None:
    listed = place.root / "urls.txt"
    old, new = str(place.old), str(place.new)
    main(["diff", old, new, "--format", "urls", "--output", str(listed)])

    assert announce("--urls", listed, "--key-file", place.new / f"{KEY}.txt", between=False) == 0
    assert place.engine.posted[0]["urlList"] == place.urls("", "gone/", "more/")


def test_more_than_ten_thousand_urls_are_sent_in_several_requests(
    place: Place, announce: Announce
) -> None:
    listed = place.root / "urls.txt"
    listed.write_text("".join(f"{place.site.url}{number}\n" for number in range(20_001)))

    assert announce("--urls", listed, "--key", KEY, between=False) == 0
    assert [len(posted["urlList"]) for posted in place.engine.posted] == [10_000, 10_000, 1]
    sent = [url for posted in place.engine.posted for url in posted["urlList"]]
    assert len(set(sent)) == 20_001


@pytest.mark.parametrize(
    ("name", "text", "arguments"),
    [
        ("sitemap.toml", f'indexnow_key = "{KEY}"', []),
        ("pyproject.toml", f'[tool.sitemap-plugin]\nindexnow_key = "{KEY}"', []),
        ("other.toml", f'indexnow_key = "{KEY}"', ["--config", "other.toml"]),
        ("key", f"{KEY}\n", ["--key-file", "key"]),
    ],
)
def test_the_key_is_found_where_it_is_kept(
    place: Place, announce: Announce, name: str, text: str, arguments: list[str]
) -> None:
    Path(name).write_text(text)
    (place.new / "another-key-here.txt").write_text("another-key-here")

    assert announce(*arguments) == 0
    assert place.engine.posted[0]["key"] == KEY


def test_the_result_can_be_had_as_json(
    place: Place, announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    announce("--format", "json")
    result = json.loads(capsys.readouterr().out)

    assert result["urls"] == place.urls("", "gone/", "more/")
    assert result["announced"] == 3
    assert [request["status"] for request in result["requests"]] == [200]


def test_a_site_below_a_path_announces_with_a_key_in_that_path(
    place: Place, announce: Announce
) -> None:
    docs = place.root / "host" / "docs"
    place.new.rename(place.root / "host")
    (place.root / "host").rename(place.root / "moved")
    docs.parent.mkdir()
    (place.root / "moved").rename(docs)
    place.site.folder = docs.parent
    for folder in (place.old, docs):
        sitemap = folder / "sitemap.xml"
        sitemap.write_text(sitemap.read_text().replace(place.site.url, f"{place.site.url}docs/"))
    status = announce(place.old, docs, between=False)

    assert status == 0
    assert place.engine.posted[0]["keyLocation"] == f"{place.site.url}docs/{KEY}.txt"
    assert place.engine.posted[0]["urlList"][0] == f"{place.site.url}docs/"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give OLD and NEW, or --urls"),
        (["old"], "give OLD and NEW, or --urls"),
        (["old", "new", "--urls", "list"], "and not both"),
        (["--urls", "missing", "--key", KEY], "missing: cannot be read"),
        (["--urls", "list", "--key", "short"], "--key: expected a key of 8 to 128"),
        (["--urls", "list", "--key-file", "list"], "list: expected a key of 8 to 128 letters, "
         "digits or hyphens\n"),
        (["--urls", "deep"], "no key was found"),
        (["--urls", "list", "--key", KEY], "list:2: nothing: only http"),
        (["--urls", "hosts", "--key", KEY], "1 of 2 URLs not below https://example.org/,"),
        (["--urls", "deep", "--key", KEY, "--key-location", "https://example.org/a/k.txt"],
         "1 of 2 URLs not below https://example.org/a/"),
        (["--urls", "dots", "--key", KEY, "--key-location", "https://example.org/a/k.txt"],
         "2 of 4 URLs not below https://example.org/a/"),
        (["--urls", "secret", "--key", KEY], "secret:1: a URL with a user name or password"),
    ],
)  # fmt: skip
def test_what_cannot_be_announced_is_refused_before_anything_is_sent(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("list").write_text("https://example.org/\nnothing\n")
    Path("hosts").write_text("https://example.org/\nhttps://www.example.org/\n")
    Path("secret").write_text("https://u:pw@example.org/\n")
    ups = ("a/.well-known/b", "a/../b", "a/%2E%2e/b", "a/b", "ab")
    Path("dots").write_text("".join(f"https://example.org/{path}\n" for path in ups))
    Path("deep").write_text("https://example.org/a/b\nhttps://example.org/ab\n")

    assert main(["indexnow", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("url", ["www.bing.com", "ftp://example.org/", "https://", "http://a b/"])
@pytest.mark.parametrize("flag", ["--endpoint", "--key-location"])
def test_a_flag_that_is_no_url_is_refused(flag: str, url: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["indexnow", "old", "new", flag, url])
    assert stopped.value.code == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [("something else", "is to hold the key"), (None, "the key's file is needed")],
)
def test_a_key_whose_file_is_not_there_or_wrong_is_refused(
    place: Place,
    announce: Announce,
    content: str | None,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = place.new / f"{KEY}.txt"
    path.unlink()
    if content is not None:
        path.write_text(content)

    assert announce("--key", KEY) == 2
    assert message in capsys.readouterr().err
    assert place.engine.asked == []


def test_the_key_of_a_folder_without_its_pages_is_that_of_the_host(
    place: Place, announce: Announce
) -> None:
    for page in place.new.rglob("index.html"):
        page.unlink()

    assert announce() == 0
    assert place.engine.posted[0]["keyLocation"] == f"{place.site.url}{KEY}.txt"
    assert place.site.asked[-1].path == f"/{KEY}.txt"


def test_several_keys_in_a_site_are_a_question(
    place: Place, announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.new / "another-key-here.txt").write_text("another-key-here")

    assert announce() == 2
    assert "several keys" in capsys.readouterr().err


def test_the_end_of_a_whole_site_is_not_announced_by_a_difference(
    place: Place, announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    place.build(place.new, {})

    assert announce() == 2
    assert "it lists nothing" in capsys.readouterr().err
    assert place.engine.asked == []


def test_a_key_file_that_redirects_is_refused(
    place: Place, announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.new / f"{KEY}.txt").rename(place.new / "key")
    with serving(place.new) as other:
        place.site.add(f"/{KEY}.txt", lambda handler: handler.send(
            302, headers={"Location": f"{other.url}key"}
        ))  # fmt: skip
        assert announce("--key", KEY) == 2
    assert "it redirects to" in capsys.readouterr().err


def test_what_was_announced_is_told_even_if_the_output_cannot_be_written(
    announce: Announce, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert announce("--output", tmp_path) == 1
    shown = capsys.readouterr()
    assert "cannot be written" in shown.err
    assert "3 of 3 URLs" in shown.out
