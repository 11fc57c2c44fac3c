"""The plugin manager: finds plugins, calls each hook, and says which plugin failed where.

One typed method per hook hides pluggy's untyped calls. Plugins are called one by one, in pluggy's
order (registered last, called first; ``tryfirst`` and ``trylast`` hold), so that an exception can
be reported with the plugin, the hook and the page.
"""

from __future__ import annotations

import importlib.metadata
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, NamedTuple, TypeVar

import pluggy

from sitemap_plugin import hookspecs
from sitemap_plugin.common.text import did_you_mean
from sitemap_plugin.errors import PluginError, Problem, SitemapError
from sitemap_plugin.hookspecs import (
    PROJECT_NAME,
    ExclusionFunction,
    LastmodFunction,
    TransformFunction,
)
from sitemap_plugin.models import NO_METADATA, Page, Site
from sitemap_plugin.report import Report

__all__ = ["Call", "PluginManager"]

F = TypeVar("F", bound=Callable[..., Any])

HOOKS = tuple(name for name in hookspecs.__all__ if name.startswith("sitemap_"))


class Call(NamedTuple, Generic[F]):
    """A function that a plugin handed back, with what is needed to report its failure."""

    function: F
    plugin: str
    hook: str

    def failed(self, error: Exception, page: Page) -> SitemapError:
        """Return the error to raise when the function has raised for a page."""
        return _failure(self.plugin, self.hook, error, page.where)

    def guard(self, function: Callable[[Sequence[Page]], object], pages: Sequence[Page]) -> None:
        """Call one more function of the plugin, which takes all pages."""
        try:
            function(pages)
        except Exception as error:
            raise _failure(self.plugin, self.hook, error) from error

    def returned(self, value: object, expected: str, page: Page) -> SitemapError:
        """Return the error to raise when the function has returned something of another type."""
        return PluginError(
            f"plugin {self.plugin!r}, hook {self.hook}, page {page.where}: expected {expected}, "
            f"got {value!r}"
        )


class PluginManager:
    """The plugins of one build: the built-in ones, those installed, and the host's adapter.

    ``plugins`` are pairs of name and plugin object, registered in order after the installed ones.
    Raises PluginError for a plugin that cannot be loaded or implements a hook that is not there.
    """

    def __init__(
        self,
        built_in: Iterable[tuple[str, object]],
        plugins: Iterable[tuple[str, object]],
        disabled: Sequence[str] = (),
    ) -> None:
        self._manager = pluggy.PluginManager(PROJECT_NAME)
        self._manager.add_hookspecs(hookspecs)
        self.problems: list[Problem] = []
        for name, plugin in built_in:
            self._register(name, plugin)
        for name, plugin in self._installed(disabled):
            self._register(name, plugin)
        for name, plugin in plugins:
            self._register(name, plugin)

    def pages(self, site: Site) -> Iterator[Page]:
        """Yield every plugin's pages."""
        for name, result in self._calls("sitemap_pages", site=site):
            try:
                for page in result:
                    yield _checked_page(page, name)
            except SitemapError:
                raise
            except Exception as error:
                raise _failure(name, "sitemap_pages", error) from error

    def exclusions(self, site: Site) -> list[Call[ExclusionFunction]]:
        """Return each plugin's function that gives reasons to leave a page out."""
        return self._functions("sitemap_exclusion", site=site)

    def transforms(self, site: Site) -> list[Call[TransformFunction]]:
        """Return each plugin's function that changes entries."""
        return self._functions("sitemap_transform", site=site)

    def lastmod_source(self, site: Site, name: str) -> Call[LastmodFunction] | None:
        """Return the first function that a plugin gives for the date source ``name``."""
        return next(iter(self._functions("sitemap_lastmod_source", site=site, name=name)), None)

    def written(self, site: Site, report: Report) -> None:
        """Tell every plugin that all files are in place."""
        for _name, _result in self._calls("sitemap_written", site=site, report=report):
            pass  # The hook returns nothing; going through the iterator makes the calls.

    def _functions(self, hook: str, **arguments: Any) -> list[Call[Any]]:
        calls: list[Call[Any]] = []
        for name, result in self._calls(hook, **arguments):
            if not callable(result):
                message = f"returned {type(result).__name__}, not a function"
                raise PluginError(f"plugin {name!r}, hook {hook}: {message}")
            calls.append(Call(result, name, hook))
        return calls

    def _calls(self, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
        """Call each implementation in pluggy's order; yield the results that are not None."""
        caller = getattr(self._manager.hook, hook)
        for implementation in reversed(caller.get_hookimpls()):
            name = implementation.plugin_name
            try:
                wanted = [arguments[argument] for argument in implementation.argnames]
                result = implementation.function(*wanted)
            except SitemapError:
                raise
            except Exception as error:
                raise _failure(name, hook, error) from error
            if result is not None:
                yield name, result

    def _installed(self, disabled: Sequence[str]) -> Iterator[tuple[str, object]]:
        found = {entry.name: entry for entry in importlib.metadata.entry_points(group=PROJECT_NAME)}
        for name in disabled:
            if name not in found:
                message = f"no plugin {name!r} is installed{did_you_mean(name, found)}"
                self.problems.append(Problem("warning", message, "disable_plugins"))
        for name, entry in sorted(found.items()):
            if name in disabled:
                continue
            try:
                plugin = entry.load()
                plugin = plugin() if inspect.isclass(plugin) else plugin
            except Exception as error:
                cure = f"repair or remove it, or set disable_plugins: [{name}]"
                raise PluginError(
                    f"plugin {name!r} cannot be loaded from {entry.value!r}: "
                    f"{type(error).__name__}: {error}; {cure}"
                ) from error
            yield name, plugin

    def _register(self, name: str, plugin: object) -> None:
        try:
            self._manager.register(plugin, name)
        except (pluggy.PluginValidationError, ValueError) as error:
            raise PluginError(f"plugin {name!r}: {_one_line(error)}") from error
        for caller in self._manager.get_hookcallers(plugin) or ():
            for implementation in caller.get_hookimpls():
                if implementation.plugin is not plugin:
                    continue
                if not caller.has_spec() and not implementation.optionalhook:
                    raise PluginError(
                        f"plugin {name!r} implements a hook {caller.name!r} that does not exist"
                        f"{did_you_mean(caller.name, HOOKS)} The hooks are {', '.join(HOOKS)}."
                    )
                if implementation.hookwrapper or implementation.wrapper:
                    raise PluginError(
                        f"plugin {name!r}, hook {caller.name}: hook wrappers are not supported; "
                        "the hook hands back a function, wrap that"
                    )


def plugin_name(plugin: object) -> str:
    """Return a name for a plugin that was given as an object."""
    if isinstance(plugin, ModuleType):
        return plugin.__name__
    return f"{type(plugin).__module__}.{type(plugin).__qualname__}"


_PATH = type(Path())
_MAPPINGS = frozenset({dict, type(NO_METADATA)})


def _checked_page(page: Any, plugin: str) -> Page:
    """Return a plugin's page, its paths as paths; raise PluginError for what is no page."""
    if type(page) is Page and not page.members and _is_usual(*page[:5]):
        return page
    if not isinstance(page, Page):
        raise PluginError(f"plugin {plugin!r}, hook sitemap_pages: expected a Page, got {page!r}")
    url, source, _, output, metadata = _untyped(page)[:5]
    members = page.members if isinstance(page.members, tuple | list) else (page.members,)
    for key, value, kind, name in (
        ("url", url, str, "a text"),
        ("metadata", metadata, Mapping, "a mapping"),
        *(("members", member, str, "texts") for member in members),
    ):
        if not isinstance(value, kind):
            raise PluginError(
                f"plugin {plugin!r}, hook sitemap_pages, page {url!r}: expected {name} as {key}, "
                f"got {value!r}"
            )
    paths = {"source": source, "output": output}
    texts = {key: Path(path) for key, path in paths.items() if isinstance(path, str)}
    checked: Page = page.replace(**texts) if texts else page
    return checked


def _is_usual(url: object, source: object, name: object, output: object, metadata: object) -> bool:
    """Tell whether a page's first fields have the types that nothing is wrong with, quickly."""
    return (
        type(url) is str
        and (source is None or type(source) is _PATH)
        and (name is None or type(name) is str)
        and (output is None or type(output) is _PATH)
        and type(metadata) in _MAPPINGS
    )


def _untyped(page: Page) -> tuple[Any, ...]:
    """Return the page's fields, of which a plugin's author may have mistaken the types."""
    return page


def _failure(plugin: str, hook: str, error: Exception, page: str | None = None) -> PluginError:
    where = f", page {page}" if page else ""
    return PluginError(
        f"plugin {plugin!r}, hook {hook}{where}: {type(error).__name__}: {_one_line(error)}"
    )


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
