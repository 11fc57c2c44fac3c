"""Read the configuration of a project: our own file, else that of Zensical or MkDocs."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from sitemap_plugin.commands.options import GivenOptions, read_settings, read_text, read_toml
from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.errors import SitemapError

NAMES = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml")
# The loader in C is as safe, and eight times as fast.
SAFE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# What is raised for text that is not YAML, or has the form of a date or a number and is none.
NOT_YAML = (
    *(yaml.YAMLError, RecursionError),
    *(ValueError, LookupError, TypeError, AttributeError, OverflowError),
)


class Project(NamedTuple):
    """What a project's configuration says."""

    settings: GivenOptions = GivenOptions({}, Path())
    output: Path | None = None
    site_url: object = None
    switcher: Any = None  # The items of its language switcher.
    base_url_setting: str = "--base-url"  # What to call the base URL in a message.
    snippets: tuple[Path, ...] = ()  # The folders of pymdownx.snippets.


def read_project(path: Path | None, folder: Path) -> Project:
    """Read the named file, else the first in the folder that has settings for us."""
    if path is None:
        own = read_settings(None, folder)
        path = next((Path(name) for name in NAMES if (folder / name).is_file()), None)
        return _translate(folder / path, path) if path and own.file is None else Project(own)
    if path.name == "zensical.toml" or path.suffix in {".yml", ".yaml"}:
        return _translate(path.absolute(), path)
    return Project(read_settings(path, folder))


def _translate(path: Path, named: Path) -> Project:
    data = read_toml(path).get("project", {}) if path.suffix == ".toml" else _mkdocs(path)
    if not isinstance(data, Mapping):
        raise SitemapError(f"{named}: expected the settings of MkDocs or Zensical")
    if "INHERIT" in data:
        cure = "write the settings in this file, or in a sitemap.toml beside it"
        raise SitemapError(f"{named}: INHERIT: another file is not read here; {cure}")
    options = _item(data.get("plugins"), "sitemap") or {}
    if not isinstance(options, Mapping):
        raise SitemapError(
            f"plugins: sitemap: expected a mapping of options, got {quoted(options)}"
        )
    folder = path.parent
    docs = str(data.get("docs_dir") or "docs")
    source = {"source": docs} if (folder / docs).is_dir() else {}
    return Project(
        GivenOptions({**source, **options}, folder, named),
        output=folder / str(data.get("site_dir") or "site"),
        site_url=data.get("site_url"),
        switcher=_item(data.get("extra"), "alternate"),
        base_url_setting="site_url",
        snippets=_snippets(data.get("markdown_extensions"), folder),
    )


def _snippets(extensions: Any, folder: Path) -> tuple[Path, ...]:
    """Return the folders in which pymdownx.snippets looks, none where it is not used."""
    found = _item(extensions, "pymdownx.snippets")
    if found is None:  # In TOML, the dot makes tables.
        found = _item(_item(extensions, "pymdownx"), "snippets")
    paths = found.get("base_path", ".") if isinstance(found, Mapping) else "."
    names = paths if isinstance(paths, list) else [paths]
    return () if found is None else tuple(folder / str(name) for name in names)


def _item(items: Any, name: str) -> Any:
    """Return what a list or a mapping has under a name: ``{}`` for the name alone, else None."""
    for item in items if isinstance(items, list) else [items]:
        if item == name or (isinstance(item, Mapping) and name in item):
            value = item[name] if isinstance(item, Mapping) else None
            return {} if value is None else value
    return None


def _mkdocs(path: Path) -> Any:
    try:
        return yaml.load(read_text(path), _Loader)  # noqa: S506 - a safe loader, as it says
    except NOT_YAML as error:
        reason = shown(" ".join(str(error).split()), 500)
        raise SitemapError(f"{path}: not YAML: {reason}") from error


class _Loader(SAFE_LOADER):  # type: ignore[misc]
    """Reads ``!ENV`` as MkDocs does; of tags that name Python objects, nothing."""


def _environment(loader: yaml.SafeLoader, node: Any) -> Any:
    """Return the first variable that is set; the last item of a list is the default."""
    if isinstance(node, yaml.SequenceNode):
        names = loader.construct_sequence(node)
    else:
        names = [loader.construct_scalar(node), None]
    known = (os.environ[name] for name in names if isinstance(name, str) and name in os.environ)
    return next(known, names[-1] if names else None)


_Loader.add_constructor("!ENV", _environment)
_Loader.add_multi_constructor("", lambda _loader, _tag, _node: None)
