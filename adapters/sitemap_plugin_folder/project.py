"""Read the configuration of a project: our own file, else that of Zensical or MkDocs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from sitemap_plugin.commands.settings_file import Settings, read_settings, read_text, read_toml
from sitemap_plugin.errors import SitemapError

__all__ = ["Project", "read_project"]

NAMES = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml")
_MAX_PARENTS = 10


class Project(NamedTuple):
    """What a project's configuration says.

    ``output`` is where the generator writes; ``site_url`` its setting for the base URL, and
    ``base_url_setting`` what to call that in a message; ``switcher`` are the items of its language
    switcher, ``snippets`` the folders of pymdownx.snippets.
    """

    settings: Settings = Settings({}, Path())
    output: Path | None = None
    site_url: object = None
    switcher: Any = None
    base_url_setting: str = "--base-url"
    snippets: tuple[Path, ...] = ()


def read_project(path: Path | None, folder: Path) -> Project:
    """Read the named file, else the first in the folder that has settings for us.

    That is ``sitemap.toml``, a ``pyproject.toml`` with a table of ours, ``zensical.toml``,
    ``mkdocs.yml``. Raises SitemapError for a file that cannot be used.
    """
    if path is not None and _is_generators(path):
        return _translate(path.absolute(), path)
    own = read_settings(path, folder)
    if path is None and own.file is None:
        for name in NAMES:
            if (folder / name).is_file():
                return _translate(folder / name, Path(name))
    return Project(own)


def _is_generators(path: Path) -> bool:
    return path.name == "zensical.toml" or path.suffix in {".yml", ".yaml"}


def _translate(path: Path, shown: Path) -> Project:
    data = read_toml(path).get("project", {}) if path.suffix == ".toml" else _mkdocs(path)
    if not isinstance(data, Mapping):
        raise SitemapError(f"{shown}: expected the settings of MkDocs or Zensical")
    folder, extra = path.parent, data.get("extra")
    docs = str(data.get("docs_dir") or "docs")
    source = {"source": docs} if (folder / docs).is_dir() else {}
    return Project(
        Settings({**source, **_options(data.get("plugins"))}, folder, shown),
        output=folder / str(data.get("site_dir") or "site"),
        site_url=data.get("site_url"),
        switcher=extra.get("alternate") if isinstance(extra, Mapping) else None,
        base_url_setting="site_url",
        snippets=_snippets(data.get("markdown_extensions"), folder),
    )


def _options(plugins: Any) -> Mapping[str, Any]:
    """Return what stands below ``sitemap`` in a list or a mapping of plugins."""
    items = plugins if isinstance(plugins, list) else [plugins]
    found = next(
        (item["sitemap"] for item in items if isinstance(item, Mapping) and "sitemap" in item), None
    )
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise SitemapError(f"plugins: sitemap: expected a mapping of options, got {found!r}")
    return found


def _snippets(extensions: Any, folder: Path) -> tuple[Path, ...]:
    """Return the folders in which pymdownx.snippets looks, none where it is not used."""
    for item in extensions if isinstance(extensions, list) else [extensions]:
        given = item if isinstance(item, Mapping) else {item: None}
        if isinstance(outer := given.get("pymdownx"), Mapping):  # A dotted key of TOML.
            given = {f"pymdownx.{key}": value for key, value in outer.items()}
        if "pymdownx.snippets" in given:
            paths = (given["pymdownx.snippets"] or {}).get("base_path", ".")
            names = paths if isinstance(paths, list) else [paths]
            return tuple(folder / name for name in names if isinstance(name, str))
    return ()


def _mkdocs(path: Path, depth: int = 0) -> Any:
    try:
        data = yaml.load(read_text(path), _Loader)  # noqa: S506 - a safe loader, as it says
    except yaml.YAMLError as error:
        raise SitemapError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
    parent = data.get("INHERIT") if isinstance(data, dict) else None
    if isinstance(parent, str) and depth < _MAX_PARENTS:
        inherited = _mkdocs(path.parent / parent, depth + 1)
        return _merged(inherited, data) if isinstance(inherited, Mapping) else data
    return data


def _merged(parent: Mapping[str, Any], child: Mapping[str, Any]) -> dict[str, Any]:
    """Return MkDocs' merge: mappings key by key, anything else as the child has it."""
    merged = dict(parent)
    for key, value in child.items():
        above = parent.get(key)
        if isinstance(above, Mapping) and isinstance(value, Mapping):
            value = _merged(above, value)  # noqa: PLW2901 - both together
        merged[key] = value
    return merged


class _Loader(yaml.SafeLoader):
    """Reads ``!ENV`` as MkDocs does; of tags that name Python objects, nothing."""


def _environment(loader: yaml.SafeLoader, node: yaml.Node) -> Any:
    """Return the first variable that is set; the last item of a list is the default."""
    if isinstance(node, yaml.ScalarNode):
        return os.environ.get(loader.construct_scalar(node))
    names = loader.construct_sequence(node) if isinstance(node, yaml.SequenceNode) else []
    values = [os.environ[name] for name in names if isinstance(name, str) and name in os.environ]
    return values[0] if values else names[-1] if names else None


_Loader.add_constructor("!ENV", _environment)
_Loader.add_multi_constructor("", lambda _loader, _tag, _node: None)
