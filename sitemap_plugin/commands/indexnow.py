"""``sitemap-plugin indexnow``: announce to search engines what has changed; never part of a build.

By the IndexNow protocol a request has at most 10,000 URLs, all of one host.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.commands.compared import Target
from sitemap_plugin.commands.diff import TARGET, base_url, diff
from sitemap_plugin.commands.indexnow_key import (
    Key,
    check_key,
    check_scope,
    find_key,
    locate_key,
    read_key_file,
    verify_key,
)
from sitemap_plugin.commands.reading.unpacking import READ_LIMIT
from sitemap_plugin.commands.settings_file import read_settings
from sitemap_plugin.commands.web.client import check_url
from sitemap_plugin.commands.web.fetcher import Fetcher
from sitemap_plugin.commands.web.request_flags import (
    add_retry_flags,
    message_writer,
    put_out,
    read_retry_flags,
)
from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import counted, shown
from sitemap_plugin.common.urls import (
    normal_form,
)
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
_ACCEPTED = frozenset({200, 202})
_NEWLINE = re.compile(r"\r\n?|\n")
_VERSION = 1
_DONE, _REFUSED, _WRONG = 0, 1, 2
_TARGETS = 2
_REDIRECT, _SERVER_ERROR = 3, 5


class Sent(NamedTuple):
    """What became of a request; ``status`` is None where there was no answer."""

    size: int
    status: int | None
    meaning: str

    @property
    def accepted(self) -> bool:
        """Whether the URLs were received."""
        return self.status in _ACCEPTED


class Announcement(NamedTuple):
    """What is to be announced, and what became of it; ``key`` is None where there is nothing."""

    endpoint: str
    urls: Sequence[str] = ()
    key: Key | None = None
    key_found: str = ""
    sent: Sequence[Sent] = ()
    dry_run: bool = False

    @property
    def announced(self) -> int:
        """How many URLs were received."""
        return sum(sent.size for sent in self.sent if sent.accepted)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "targets", nargs="*", metavar="OLD NEW", help=f"{TARGET}; before, and as it is now"
    )
    parser.add_argument(
        "--urls",
        metavar="FILE",
        help="announce these instead of a difference, one a line; - is the standard input",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="tell what would be announced, and announce nothing"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--key",
        metavar="KEY",
        help="if left out, it is the option indexnow_key, or that of the key file in NEW",
    )
    which.add_argument("--key-file", type=Path, metavar="FILE", help="a file that holds the key")
    parser.add_argument(
        "--key-location",
        type=_url,
        metavar="URL",
        help="where the key file is published, if not in NEW or at the root of the host",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="read indexnow_key from here")
    parser.add_argument(
        "--endpoint",
        type=_url,
        default=ENDPOINT,
        metavar="URL",
        help=f"the server to tell; it tells the other search engines (default: {ENDPOINT})",
    )
    parser.add_argument(
        "--base-url", type=base_url, metavar="URL", help="the address of the folders"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to write what was done"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="write to a file instead of the terminal"
    )
    add_retry_flags(parser)


def _url(text: str) -> str:
    try:
        return check_url(text)
    except SitemapError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(arguments: argparse.Namespace) -> int:
    """Announce, tell what was done, and return the exit status."""
    tell = message_writer("indexnow")
    try:
        result = _announce(arguments, tell)
    except SitemapError as error:
        tell(f"error: {error}")
        return _WRONG
    status = _DONE if all(sent.accepted for sent in result.sent) else _REFUSED
    text = _as_json(result) if arguments.format == "json" else _as_text(result)
    try:
        put_out(text, arguments)
    except SitemapError as error:
        # What has been sent must not remain untold.
        tell(f"error: {error}")
        sys.stdout.write(text)
        return _REFUSED
    return status


def _announce(arguments: argparse.Namespace, tell: Callable[[str], None]) -> Announcement:
    """Announce what is asked for; raise SitemapError for whatever forbids to send anything."""
    fetcher = Fetcher(read_retry_flags(arguments), tell)
    given = _given_key(arguments)
    urls, new = _wanted(arguments, fetcher)
    value = given or find_key(new)
    if value is None:
        raise SitemapError(
            "no key was found; give --key, or build with the option 'indexnow_key', which writes "
            "the file of the key into the site"
        )
    result = Announcement(arguments.endpoint, urls, dry_run=arguments.dry_run)
    if not urls:
        return result
    key = Key(value, arguments.key_location or locate_key(value, urls, new))
    check_scope(urls, key, arguments.endpoint)
    result = result._replace(key=key, key_found=verify_key(key, new, fetcher))
    if arguments.dry_run:
        return result
    return result._replace(sent=list(send_all(urls, key, arguments.endpoint, fetcher)))


def _given_key(arguments: argparse.Namespace) -> str | None:
    """Return the key that the command line or the configuration names, None without one."""
    if arguments.key is not None:
        return check_key(arguments.key, "--key")
    if arguments.key_file is not None:
        content = read_key_file(arguments.key_file)
        if content is None:
            raise SitemapError(f"{arguments.key_file}: cannot be read, or is no plain text file")
        return check_key(content, str(arguments.key_file), show=False)
    configured = read_settings(arguments.config, Path.cwd()).options.get("indexnow_key")
    return None if configured is None else check_key(str(configured), "indexnow_key")


def _wanted(arguments: argparse.Namespace, fetcher: Fetcher) -> tuple[Sequence[str], Target | None]:
    """Return the URLs to announce, and the built site that they are of, if it is known."""
    targets: list[str] = arguments.targets
    if arguments.urls is not None:
        if targets:
            raise SitemapError("give OLD and NEW, or --urls, and not both")
        return _read_urls(arguments.urls), None
    if len(targets) != _TARGETS:
        raise SitemapError(f"give OLD and NEW, or --urls; got {len(targets)} of the two")
    old, new = targets
    found, target = diff(old, new, fetcher, base_url=arguments.base_url)
    if found.removed and not (found.added or found.changed or found.unchanged):
        raise SitemapError(
            f"{new}: it lists nothing, and to announce that all pages are gone is hardly meant; "
            "give a list with --urls if it is"
        )
    return _checked_urls((f"{old}, {new}", loc) for loc in found.locs), target


def _read_urls(name: str) -> list[str]:
    """Read a list of addresses, one a line; ``-`` is the standard input."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(READ_LIMIT + 1)
            if len(data) > READ_LIMIT:
                raise SitemapError(f"{name}: more than {READ_LIMIT:,} bytes; give several lists")
        else:
            data = read_file(Path(name), limit=READ_LIMIT)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise SitemapError(f"{name}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SitemapError(f"{name}: not UTF-8; give a list of URLs, one a line") from error
    lines = ((number, line.strip()) for number, line in enumerate(_NEWLINE.split(text), start=1))
    return _checked_urls((f"{name}:{number}", line) for number, line in lines if line)


def _checked_urls(urls: Iterable[tuple[str, str]]) -> list[str]:
    """Return URLs, each once, in the spelling in which they are sent; ``urls`` are with places."""
    checked: dict[str, None] = {}
    for place, url in urls:
        try:
            checked[normal_form(check_url(url))] = None
        except SitemapError as error:
            raise SitemapError(f"{place}: {error}; correct or remove it") from error
    return list(checked)


def send_all(urls: Sequence[str], key: Key, endpoint: str, fetcher: Fetcher) -> Iterator[Sent]:
    """Send URLs, as many at a time as are allowed, up to the first request that is refused."""
    for start in range(0, len(urls), _MOST_URLS):
        part = urls[start : start + _MOST_URLS]
        content = {
            "host": key.host, "key": key.value, "keyLocation": key.location, "urlList": list(part)
        }  # fmt: skip
        sent = _send(len(part), json.dumps(content).encode(), endpoint, fetcher)
        yield sent
        if not sent.accepted:
            return


def _send(size: int, data: bytes, endpoint: str, fetcher: Fetcher) -> Sent:
    try:
        answer = fetcher.post(endpoint, data)
    except SitemapError as error:
        return Sent(size, None, f"{error}; try again later")
    meaning = MEANINGS.get(answer.status) or _unusual(answer.status, answer.headers)
    wait = answer.headers.get("Retry-After") or ""
    if wait.isdecimal():
        meaning += f"; the server asks to wait {shown(wait)} seconds"
    if answer.status not in _ACCEPTED and (saying := answer.body.decode("utf-8", "replace")):
        meaning += f"; it says: {shown(' '.join(saying.split()))}"
    return Sent(size, answer.status, meaning)


def _unusual(status: int, headers: Mapping[str, str]) -> str:
    """Say what a status means that the protocol does not mention."""
    if status // 100 == _REDIRECT:
        location = shown(headers.get("Location") or "nowhere")
        return f"a redirect to {location}, which is not followed; if it is right, name it"
    if status // 100 == _SERVER_ERROR:
        return "the server has a fault of its own; try again later"
    return "an answer that the protocol does not have; is this the address of an IndexNow server?"


def _as_text(result: Announcement) -> str:
    """Render for people."""
    if result.key is None:
        return "nothing to announce\n"
    urls = counted(len(result.urls), "URL")
    if result.dry_run:
        lines = [
            f"would announce {urls} of {result.key.host} to {result.endpoint}",
            f"key file: {result.key.location}, found at {result.key_found}",
            *(f"  {shown(url, 2100)}" for url in result.urls),
        ]
        return "\n".join((*lines, ""))
    lines = [
        f"{counted(sent.size, 'URL')}: {sent.status or 'no answer'}: {sent.meaning}"
        for sent in result.sent
    ]
    done = f"{result.announced:,} of {urls} of {result.key.host} announced to {result.endpoint}"
    return "\n".join((*lines, done, ""))


def _as_json(result: Announcement) -> str:
    """Render for programs, as the documentation describes it."""
    data: dict[str, Any] = {
        "version": _VERSION,
        "dry_run": result.dry_run,
        "endpoint": result.endpoint,
        "host": result.key and result.key.host,
        "key_location": result.key and result.key.location,
        "urls": list(result.urls),
        "announced": result.announced,
        "requests": [
            {"urls": sent.size, "status": sent.status, "accepted": sent.accepted,
             "meaning": sent.meaning}
            for sent in result.sent
        ],
    }  # fmt: skip
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
