"""From what is given to what was announced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.diff.run import diff
from sitemap_plugin.commands.diff.targets import Target
from sitemap_plugin.commands.indexnow.announce import announce
from sitemap_plugin.commands.indexnow.formats import Result
from sitemap_plugin.commands.indexnow.key import (
    Key,
    check_key,
    check_scope,
    find_key,
    locate_key,
    verify_key,
)
from sitemap_plugin.commands.indexnow.record import Record
from sitemap_plugin.commands.indexnow.urls import check_urls, read_urls
from sitemap_plugin.commands.settings_file import read_settings
from sitemap_plugin.commands.web.fetch import Fetcher
from sitemap_plugin.commands.web.patience import Patience
from sitemap_plugin.errors import SitemapError

__all__ = ["Request", "run_request"]

_NO_KEY = (
    "no key was found; give --key, or build with the option 'indexnow_key', which writes the file "
    "of the key into the site"
)


class Request(NamedTuple):
    """What to announce, and how.

    ``targets`` are two targets to compare, or none; then ``urls`` names a list. ``key`` and
    ``key_file`` may be left out where the key is found in ``config``, in the configuration of the
    current folder, or in the folder of the second target.
    """

    endpoint: str
    record: Path
    targets: tuple[str, ...] = ()
    urls: str | None = None
    key: str | None = None
    key_file: Path | None = None
    key_location: str | None = None
    base_url: str | None = None
    config: Path | None = None
    dry_run: bool = False


class _Wanted(NamedTuple):
    """The URLs to announce, and the built site that they are of, if it is known."""

    urls: Sequence[str]
    new: Target | None


def run_request(request: Request, patience: Patience, tell: Callable[[str], None]) -> Result:
    """Announce what is asked for.

    Raises SitemapError for whatever forbids to send anything; what happens after that is in the
    result.
    """
    fetcher = Fetcher(patience, tell)
    given = _given_key(request)
    wanted = _wanted(request, fetcher)
    value = given or find_key(wanted.new)
    if value is None:
        raise SitemapError(_NO_KEY)
    if not wanted.urls:
        return Result(request.endpoint, dry_run=request.dry_run)
    key = locate_key(value, request.key_location, wanted.urls, wanted.new)
    check_scope(wanted.urls, key, request.endpoint)
    record = Record(request.record, patience.now, tell)
    if request.dry_run:
        return _prepare(request, wanted, key, record.recent(), fetcher)
    with record.held():
        result = _prepare(request, wanted, key, record.open(), fetcher)
        return _send(result, record, patience, tell)


def _prepare(
    request: Request, wanted: _Wanted, key: Key, recent: Mapping[str, float], fetcher: Fetcher
) -> Result:
    """Tell what is to be announced, and make sure that the key is in its place."""
    urls = [url for url in wanted.urls if url not in recent]
    skipped = [url for url in wanted.urls if url in recent]
    result = Result(request.endpoint, urls, skipped, dry_run=request.dry_run)
    if not urls:
        return result
    return result._replace(key=key, key_found=verify_key(key, wanted.new, fetcher))


def _send(
    result: Result, record: Record, patience: Patience, tell: Callable[[str], None]
) -> Result:
    if result.key is None:
        return result
    sent = []
    for urls, outcome in announce(result.urls, result.key, result.endpoint, patience, tell):
        sent.append(outcome)
        if outcome.accepted:
            try:
                record.add(urls)
            except SitemapError as error:
                tell(f"what was announced cannot be remembered: {error}")
    return result._replace(sent=sent)


def _given_key(request: Request) -> str | None:
    """Return the key that the command line or the configuration names, None without one."""
    if request.key is not None:
        return check_key(request.key, "--key")
    if request.key_file is not None:
        try:
            text = request.key_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise SitemapError(f"{request.key_file}: cannot be read: {reason}") from error
        return check_key(text, str(request.key_file))
    configured = read_settings(request.config, Path.cwd()).options.get("indexnow_key")
    return None if configured is None else check_key(str(configured), "indexnow_key")


def _wanted(request: Request, fetcher: Fetcher) -> _Wanted:
    if request.urls is not None:
        return _Wanted(read_urls(request.urls), None)
    old, new = request.targets
    outcome = diff(old, new, fetcher, base_url=request.base_url)
    found = outcome.difference
    if found.removed and not (found.added or found.changed or found.unchanged):
        raise SitemapError(
            f"{new}: it lists nothing, and to announce that all pages are gone is hardly meant; "
            "give a list with --urls if it is"
        )
    return _Wanted(check_urls((f"{old}, {new}", loc) for loc in found.locs), outcome.new)
