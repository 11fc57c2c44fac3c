"""Ask mkdocs-static-i18n, which builds the site once per language inside the first build."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File


class LanguageVersion(NamedTuple):
    """A page as one of several language versions; the fields are those of the core's ``Page``."""

    language: str | None = None
    translation_key: str | None = None
    fallback: bool = False


def find_plugin(config: MkDocsConfig) -> Any:
    """Return the plugin, None where a site does without; another one may have its name."""
    plugin = config.plugins.get("i18n")
    return plugin if hasattr(plugin, "current_language") else None


def is_nested_build(config: MkDocsConfig) -> bool:
    """Tell whether the plugin is building one more language with our objects."""
    return bool(getattr(find_plugin(config), "building", False))


def folder(plugin: Any) -> str:
    """Return the folder below the output folder that holds the language being built."""
    language = plugin.current_language
    return "" if language == plugin.default_language else f"{language}/"


def version(file: File, plugin: Any) -> LanguageVersion:
    """Return what the plugin knows of a file that a user wrote.

    It copies a page that has no translation into the other languages: the copy stands for one
    language and is written in another. Files that other plugins bring in may lack its marks.
    """
    built_for = getattr(file, "locale_alternate_of", None)
    if built_for is None:
        return LanguageVersion(plugin.current_language)
    written_in = getattr(file, "locale", built_for)
    if written_in != built_for:
        return LanguageVersion(written_in, fallback=True)
    return LanguageVersion(built_for, f"static-i18n {_common_path(file)}")


def _common_path(file: File) -> str:
    """Return what the source paths of all languages have in common."""
    path = PurePosixPath(getattr(file, "norm_src_uri", file.src_uri))
    # Both names are a folder's page, and one language may have this and another one that.
    return str(path.with_stem("index") if path.stem == "README" else path)
