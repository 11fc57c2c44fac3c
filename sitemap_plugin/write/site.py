"""Write everything that a site gets: for each base URL a sitemap and what lies beside it."""

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from urllib.parse import urlsplit

from sitemap_plugin.common import files
from sitemap_plugin.common.urls import host_root, is_host_root, is_local_host, join_url, path_below
from sitemap_plugin.dates.parse import build_time
from sitemap_plugin.describe.media import is_recent
from sitemap_plugin.errors import ConfigError, Problem
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.addresses import base_of
from sitemap_plugin.write.protocol import MAX_BYTES, MAX_URLS
from sitemap_plugin.write.robots_line import update_robots
from sitemap_plugin.write.sitemap import Destination, Section, Written, write_sitemap

_STYLE = Path(__file__).with_name("sitemap.css")
_FIELDS = {"xhtml": "alternates", "image": "images", "news": "news", "video": "videos"}


def write_site(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry], protected: Collection[str] = ()
) -> Written:
    """Write the sitemap of each base URL and what lies beside it: ``entries[i]`` of ``pages[i]``.

    The stylesheet is first, since the sitemap names it, and robots.txt last. Raises SitemapError.
    """
    written = Written()
    for its_site, its_pages, its_entries in _by_base_url(site, pages, entries):
        names = _names_in(its_site.output_dir, site.output_dir, protected)
        found = _write_one(its_site, its_pages, its_entries, names)
        written.files += found.files
        written.listed += found.listed
        written.repeated += found.repeated
        written.problems += found.problems
        written.robots = found.robots if its_site is site else written.robots
    return written


def _by_base_url(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry]
) -> Iterator[tuple[Site, Sequence[Page], Sequence[Entry]]]:
    """Yield the site itself with what is below its base URL, then the other bases with theirs."""
    if not site.other_bases:
        yield site, pages, entries
        return
    found: dict[str, tuple[list[Page], list[Entry]]] = {site.base_url: ([], [])}
    for page, entry in zip(pages, entries, strict=True):
        base_url = base_of(entry.loc, site) or site.base_url
        its_pages, its_entries = found.setdefault(base_url, ([], []))
        its_pages.append(page)
        its_entries.append(entry)
    yield site, *found.pop(site.base_url)
    for base_url in sorted(found):
        folder = site.other_bases[base_url]
        yield replace(site, base_url=base_url, output_dir=folder, other_bases={}), *found[base_url]


def _names_in(folder: Path, output_dir: Path, names: Collection[str]) -> Collection[str]:
    """Return those of the names below the output folder that lie in a folder, relative to it."""
    if not folder.is_relative_to(output_dir):
        return ()
    prefix = f"{folder.relative_to(output_dir).as_posix()}/".removeprefix("./")
    return {name.removeprefix(prefix) for name in names if name.startswith(prefix)}


def _write_one(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry], protected: Collection[str]
) -> Written:
    config, folder, name = site.config, site.output_dir, site.config.filename
    target = Destination(
        folder, site.base_url, name, config.max_urls, config.max_bytes, config.gzip,
        protected=protected, keep_foreign=site.generator == "folder",
    )  # fmt: skip
    with files.reported(folder / name):
        files.refuse_other_kinds(folder / name)
    sections = _sort_into_sections(site, pages, entries)
    problems: list[Problem] = []
    if entries and config.stylesheet:
        target = target._replace(stylesheet=write_stylesheet(target, problems))
    written = write_sitemap(target, sections)
    problems = written.problems = problems + written.problems
    if not config.stylesheet or not files.is_ours(folder / name):
        files.remove_ours(folder / stylesheet_name(name), protected)
    if not written.files:
        return written
    if config.indexnow_key and not site.preview:
        _write_key(config.indexnow_key, target, problems)
    if config.text:
        locs = sorted(chain.from_iterable(urls for _, urls in written.listed))
        written.files += _write_text(target, locs, problems)
    url, within = join_url(site.base_url, name), [site.source_dir] if site.source_dir else []
    written.robots, message = update_robots(folder, url, site.base_url, config.robots, within)
    if message and not site.preview:
        problems.append(Problem("notice", message, "robots.txt"))
    return written


def _sort_into_sections(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry]
) -> list[Section]:
    """Return what goes into which file: a page into the first section whose patterns match it.

    Articles that are new are listed once more as news. Raises ConfigError for a section ``news``.
    """
    names, news = site.config.sections, [entry for entry in entries if entry.news]
    has_news = site.config.news is not None or bool(news)
    if not has_news and not names:
        return [_section("", entries)]
    if has_news and (taken := [name for name in names if name.casefold() == "news"]):
        message = "the site has news, whose file is called so; choose another name"
        raise ConfigError([f"sections.{name}: {message}" for name in taken])
    found: dict[str, list[Entry]] = {name: [] for name in (*names, "pages")}
    for page, entry in zip(pages, entries, strict=True):
        path = path_below(entry.loc, site.base_url)
        matching = (name for name, some in names.items() if some.match(page.source_path, path))
        listed = entry.replace(news=None) if entry.news else entry
        found[next(matching, "pages")].append(listed)
    now = build_time()
    new = (entry for entry in news if entry.news and is_recent(entry.news, now))
    articles = [Entry(entry.loc, entry.lastmod, news=entry.news) for entry in new]
    sections = [_section(name, some) for name, some in found.items()]
    return [*sections, Section("news", articles, ("news",), is_repeated=True)]


def _section(label: str, entries: Sequence[Entry]) -> Section:
    used = [prefix for prefix, name in _FIELDS.items() if any(map(attrgetter(name), entries))]
    return Section(label, entries, used)


def stylesheet_name(filename: str) -> str:
    """Name the stylesheet after its sitemap, so that two sitemaps in one folder have their own."""
    return f"{filename.rpartition('.')[0]}.css"


def write_stylesheet(target: Destination, problems: list[Problem]) -> str | None:
    """Write the stylesheet of a sitemap and return its name; None where that name is taken.

    Browsers are removing XSLT; XML styled by CSS works in all of them, and needs no script.
    """
    path = target.folder / stylesheet_name(target.filename)
    if path.name in target.protected or (os.path.lexists(path) and not files.is_ours(path)):
        message = f"the site has a {path.name} of its own, which is kept; so browsers show "
        cure = "as it is. Rename that file, or set the option 'stylesheet' to false"
        problems.append(Problem("notice", f"{message}{target.filename} {cure}", path.name))
        return None
    style = _STYLE.read_text(encoding="utf-8").replace("{{host}}", urlsplit(target.base_url).netloc)
    files.write_whole(path, style.encode())
    return path.name


def _write_key(key: str, target: Destination, problems: list[Problem]) -> None:
    """Write the file of a key, which holds the key alone (IndexNow); one made by hand serves."""
    path = target.folder / f"{key}.txt"
    try:
        content = files.read_file(path, limit=1024).strip() if os.path.lexists(path) else b""
    except OSError:
        content = None
    if content == b"" and path.name not in target.protected:
        files.write_whole(path, key.encode())
    elif content != key.encode():
        message = f"{path.name} is there already and holds something else, so it is kept; choose "
        message += "another key, or remove that file"
        problems.append(Problem("warning", message, "indexnow_key"))


def _write_text(target: Destination, locs: Sequence[str], problems: list[Problem]) -> list[Path]:
    """Write sorted URLs beside the XML sitemap, one a line (sitemaps.org, "Text file").

    There are several beyond the limit, numbered as the parts of the XML are. A file that holds
    anything but URLs of this site in their order is kept as ``.bak``. None is removed: a text
    cannot say who wrote it. Raises WriteError.
    """
    stem = target.filename.rpartition(".")[0]
    # Half as many fit in any case, since a URL has at most 2,048 bytes.
    fit = (max(map(len, locs), default=0) + 1) * MAX_URLS <= MAX_BYTES
    count = MAX_URLS if fit else MAX_URLS // 2
    parts = [locs[start : start + count] for start in range(0, len(locs), count)]
    names = [f"{stem}{f'-{n}' if len(parts) > 1 else ''}.txt" for n in range(1, len(parts) + 1)]
    if taken := sorted({f"{stem}.txt", *names}.intersection(target.protected)):
        message = f"the site has a {taken[0]} of its own, which is kept; remove it or the option"
        problems.append(Problem("warning", message, "text"))
        return []
    for name, part in zip(names, parts, strict=True):
        path = target.folder / name
        is_foreign = path.is_file() and not _is_text_of(path, target.base_url)
        if is_foreign and (backup := files.keep_backup(path)):
            message = f"the one that was there lists other things; it is kept as {backup.name}"
            problems.append(Problem("notice", message, name))
        files.write_whole(path, "".join(f"{loc}\n" for loc in part).encode())
    return [target.folder / name for name in names]


def _is_text_of(path: Path, base_url: str) -> bool:
    """Tell whether a file consists of URLs of this site in our order, each ending its line."""
    try:
        *lines, rest = files.read_file(path, limit=MAX_BYTES).split(b"\n")
    except OSError:
        return False
    is_below = all(line.startswith(base_url.encode()) for line in lines)
    return not rest and is_below and lines == sorted(set(lines))


def next_step(site: Site, written: Written) -> str | None:
    """Return what makes a new sitemap known to search engines, None where that has been done."""
    is_known = not written.files or written.robots == "present"
    if is_known or site.preview or is_local_host(site.base_url):
        return None
    url = join_url(site.base_url, site.config.filename)
    step = f"next: publish, then submit {url} in the search consoles"
    if is_host_root(site.base_url) or site.config.robots is False:
        return step
    return f"{step} or add its line to {host_root(site.base_url)}robots.txt"
