"""``sitemap-plugin indexnow``: announce to search engines what has changed; never part of a build.

By the IndexNow protocol a request has at most 10,000 URLs, all of one host. A key has 8 to 128
letters, digits or hyphens; its file holds nothing else, and it speaks for the host of that file,
in its folder and below.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.commands.compared import Target
from sitemap_plugin.commands.diff import TARGET, diff, open_fetcher, render
from sitemap_plugin.commands.options import (
    add_result_flags,
    add_retry_flags,
    put_out,
    read_settings,
    read_text,
)
from sitemap_plugin.commands.reading.reader import NEWLINE, READ_LIMIT
from sitemap_plugin.commands.web import Fetcher, check_url
from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import counted, quoted, shown
from sitemap_plugin.common.urls import host_root, is_below, join_url, normal_form, path_below
from sitemap_plugin.errors import SitemapError

ENDPOINT = "https://api.indexnow.org/indexnow"
_MOST_URLS = 10_000
MEANINGS: Mapping[int, str] = {
    200: "the URLs were received",
    202: "the URLs were received; the key's file will be looked at later",
    400: "the request was not understood; see what the server says, and whether it speaks IndexNow",
    403: "the key was not accepted; its file is to be on the host, with the key and nothing else",
    422: "the URLs are not of the key's host, or the key is not one by the protocol",
    429: "too many announcements, which may be taken for spam; announce less often",
}
_UNUSUAL = "no answer of the protocol; is this an IndexNow server? If so, try again later"
_ACCEPTED = (200, 202)
_KEY_FORM = re.compile(r"[A-Za-z0-9-]{8,128}")
_KEY_LIMIT = 1024


class Key(NamedTuple):
    """A key, the URL of the file that holds it, and where that was found."""

    value: str
    location: str
    place: str

    @property
    def host(self) -> str:
        """The host that IndexNow is told, with a port that is not the usual one."""
        return urlsplit(host_root(self.location)).netloc


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add = parser.add_argument
    urls = "announce these instead of a difference, one a line; - is the standard input"
    dry_run = "tell what would be announced, and announce nothing"
    key = "if left out, it is the option indexnow_key, or that of the key file in NEW"
    location = "where the key file is published, if not in NEW or at the root of the host"
    server = f"the server to tell; it tells the other search engines (default: {ENDPOINT})"
    add("targets", nargs="*", metavar="OLD NEW", help=f"{TARGET}; before, and as it is now")
    add("--urls", metavar="FILE", help=urls)
    add("--dry-run", action="store_true", help=dry_run)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--key", metavar="KEY", help=key)
    which.add_argument("--key-file", type=Path, metavar="FILE", help="a file that holds the key")
    add("--key-location", type=check_url, metavar="URL", help=location)
    add("--config", type=Path, metavar="FILE", help="read indexnow_key from here")
    add("--endpoint", type=check_url, default=ENDPOINT, metavar="URL", help=server)
    add_result_flags(parser, ("text", "json"))
    add_retry_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Announce, tell what was done, and return the exit status."""
    fetcher = open_fetcher("indexnow", arguments)
    given = _given_key(arguments)
    urls, new = _wanted(arguments, fetcher)
    value = given or _find_key(new)
    key = _locate_key(value, arguments.key_location, urls, new, fetcher) if urls else None
    requests: list[dict[str, Any]] = []
    if key and not arguments.dry_run:
        requests += send_all(urls, key, arguments.endpoint, fetcher)
    result = {
        "version": 1,
        "dry_run": arguments.dry_run,
        "endpoint": arguments.endpoint,
        "host": key and key.host,
        "key_location": key and key.location,
        "urls": urls,
        "announced": sum(sent["urls"] for sent in requests if sent["accepted"]),
        "requests": requests,
    }
    text = render(arguments.format, result, _lines(result, key))
    try:
        put_out(text, arguments)
    except SitemapError as error:
        # What has been sent must not remain untold.
        fetcher.tell(f"error: {error}")
        sys.stdout.write(text)
        return 1
    return 0 if all(sent["accepted"] for sent in requests) else 1


def _given_key(arguments: argparse.Namespace) -> str | None:
    """Return the key that the command line or the configuration names, None without one."""
    place, value = "--key", arguments.key
    if arguments.key_file is not None:
        place, value = str(arguments.key_file), read_text(arguments.key_file, _KEY_LIMIT)
    elif value is None:
        place = "indexnow_key"
        value = read_settings(arguments.config, Path.cwd()).options.get(place)
    if value is None:
        return None
    key = str(value).strip()
    if not _KEY_FORM.fullmatch(key):  # It is not repeated: a file may hold anything.
        raise SitemapError(f"{place}: expected a key of 8 to 128 letters, digits or hyphens")
    return key


def _read_key(path: Path, folder: Path) -> str | None:
    """Return the text of a key's file in a folder, None where there is none that can be read."""
    with suppress(OSError):
        return _key_in(read_file(path, limit=_KEY_LIMIT, within=[folder]))
    return None


def _key_in(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace").strip()


def _find_key(new: Target | None) -> str:
    """Return the key whose file lies in the folder of a built site; raise SitemapError else."""
    files = new.folder.glob("*.txt") if new and new.folder else ()
    keys = [path for path in files if _KEY_FORM.fullmatch(path.stem)]
    found = [path.stem for path in keys if _read_key(path, path.parent) == path.stem]
    if len(found) != 1:
        fault = "several keys were found" if found else "no key was found"
        cure = "give --key, or build with the option 'indexnow_key', which writes the key's file"
        raise SitemapError(f"{fault}; {cure}")
    return found[0]


def _wanted(arguments: argparse.Namespace, fetcher: Fetcher) -> tuple[list[str], Target | None]:
    """Return the URLs to announce, and the built site that they are of, if it is known."""
    name = arguments.urls
    if len(arguments.targets) != (2 if name is None else 0):
        raise SitemapError("give OLD and NEW, or --urls, and not both")
    if name is not None:
        lines = enumerate(map(str.strip, NEWLINE.split(_read_list(name))), start=1)
        return _checked((f"{name}:{number}", line) for number, line in lines if line), None
    old, new = arguments.targets
    found, target = diff(arguments, old, new, fetcher)
    if found.removed and not (found.added or found.changed or found.unchanged):
        fault = "it lists nothing, and to announce that all pages are gone is hardly meant"
        raise SitemapError(f"{new}: {fault}; give a list with --urls if it is")
    return _checked((f"{old}, {new}", loc) for loc in found.locs), target


def _read_list(name: str) -> str:
    """Return a text; ``-`` is the standard input."""
    if name != "-":
        return read_text(Path(name), READ_LIMIT)
    data = sys.stdin.buffer.read(READ_LIMIT + 1)
    if len(data) > READ_LIMIT:
        raise SitemapError(f"{name}: more than {READ_LIMIT:,} bytes; give several lists")
    return data.decode("utf-8-sig", "surrogateescape")


def _checked(urls: Iterable[tuple[str, str]]) -> list[str]:
    """Return URLs, each once, in the spelling in which they are sent; ``urls`` are with places."""
    checked: dict[str, None] = {}
    for place, url in urls:
        try:
            checked[normal_form(check_url(url))] = None
        except SitemapError as error:
            raise SitemapError(f"{place}: {error}; correct or remove it") from error
    return list(checked)


def _locate_key(
    value: str, location: str | None, urls: Sequence[str], new: Target | None, fetcher: Fetcher
) -> Key:
    """Find the file of a key that may announce some URLs, and make sure that it holds the key.

    Without a ``location`` it is in the folder of a built site, or at the root of the host.
    """
    folder, base = (new.folder, new.base_url) if new else (None, None)
    if location is None:
        is_there = folder and (folder / f"{value}.txt").is_file()
        location = join_url(base if base and is_there else host_root(urls[0]), f"{value}.txt")
    scope = join_url(location, ".")
    # The protocol asks for the host alone, whatever the scheme.
    near = f"https:{scope.partition(':')[2]}"
    bad = [url for url in urls if not is_below(f"https:{url.partition(':')[2]}", near)]
    if bad:
        raise SitemapError(
            f"{len(bad):,} of {counted(len(urls), 'URL')} not below {scope}, the folder of the "
            f"key's file, the first: {quoted(bad[0])}; announce each host by itself, and put the "
            "file into its root, or say with --key-location where it is"
        )
    place, content = location, None
    if folder and base and is_below(location, base):
        place = str(folder / path_below(location, base))
        content = _read_key(Path(place), folder)
    if content is None:
        try:
            place, data = fetcher.read(location, _KEY_LIMIT)
        except SitemapError as error:
            raise SitemapError(f"the key's file is needed: {error}") from error
        content = _key_in(data)
        if place != location:
            raise SitemapError(f"{location}: it redirects to {place}; give that by --key-location")
    if content != value:
        raise SitemapError(f"{place}: it is to hold the key {value} and nothing else")
    return Key(value, location, place)


def send_all(
    urls: Sequence[str], key: Key, endpoint: str, fetcher: Fetcher
) -> Iterator[dict[str, Any]]:
    """Send URLs up to the first request that is refused; yield what became of each request."""
    content: dict[str, Any] = {"host": key.host, "key": key.value, "keyLocation": key.location}
    for start in range(0, len(urls), _MOST_URLS):
        part = content["urlList"] = urls[start : start + _MOST_URLS]
        status, meaning = _send(json.dumps(content).encode(), endpoint, fetcher)
        accepted = status in _ACCEPTED
        yield {"urls": len(part), "status": status, "accepted": accepted, "meaning": meaning}
        if not accepted:
            return


def _send(data: bytes, endpoint: str, fetcher: Fetcher) -> tuple[int | None, str]:
    """Return the status of the answer, and what it means in words."""
    try:
        answer = fetcher.post(endpoint, data)
    except SitemapError as error:
        return None, f"{error}; try again later"
    meaning = MEANINGS.get(answer.status, _UNUSUAL)
    if target := answer.headers.get("Location"):
        meaning += f"; it leads to {shown(target)}"
    if wait := answer.headers.get("Retry-After"):
        meaning += f"; it asks to wait {shown(wait)} seconds"
    if answer.status not in _ACCEPTED and (saying := answer.body.decode("utf-8", "replace")):
        meaning += f"; it says: {shown(' '.join(saying.split()))}"
    return answer.status, meaning


def _lines(result: Mapping[str, Any], key: Key | None) -> Iterator[str]:
    """Tell people what was done."""
    what = f"{counted(len(result['urls']), 'URL')} of {result['host']}"
    if key is None:
        yield "nothing to announce"
    elif result["dry_run"]:
        yield f"would announce {what} to {result['endpoint']}"
        yield f"key file: {key.location}, found at {key.place}"
        yield from (f"  {url}" for url in result["urls"])
    else:
        for sent in result["requests"]:
            urls = counted(sent["urls"], "URL")
            yield f"{urls}: {sent['status'] or 'no answer'}: {sent['meaning']}"
        yield f"{result['announced']:,} of {what} announced to {result['endpoint']}"
