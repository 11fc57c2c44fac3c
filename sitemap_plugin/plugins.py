"""The plugin manager: finds plugins, calls each hook, and says which plugin failed where."""

import importlib.metadata
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, NamedTuple, TypeVar

import pluggy

from sitemap_plugin import hookspecs
from sitemap_plugin.common.text import did_you_mean, error_text, quoted, shown
from sitemap_plugin.config import PROJECT_NAME
from sitemap_plugin.errors import PluginError, Problem, Result, SitemapError
from sitemap_plugin.hookspecs import ExclusionFunction, LastmodFunction, TransformFunction
from sitemap_plugin.models import Page, Site
from sitemap_plugin.report import Report

F = TypeVar("F", bound=Callable[..., Any])

# What a plugin may raise; one that exits would end the build without a sitemap or a word.
FAILURES = (Exception, SystemExit)
HOOKS = tuple(name for name in vars(hookspecs) if name.startswith("sitemap_"))


class Call(NamedTuple, Generic[F]):
    """A function that a plugin handed back, with what is needed to report its failure."""

    function: F
    plugin: str
    hook: str

    def __call__(self, page: Page, *arguments: Any) -> Any:
        """Call the function for a page; raise PluginError if it raises."""
        try:
            return self.function(page, *arguments)
        except FAILURES as error:
            raise PluginError(f"{self._place(page)}: {error_text(error)}") from error

    def guard(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call one more function of the plugin; raise PluginError if it raises."""
        with _reported(self.plugin, self.hook):
            return function(*arguments)

    def returned(self, value: object, expected: str, page: Page) -> SitemapError:
        """Return the error to raise when the function has returned something of another type."""
        return PluginError(f"{self._place(page)}: expected {expected}, got {quoted(value)}")

    def _place(self, page: Page) -> str:
        return f"{_place(self.plugin, self.hook)}, page {shown(page.where)}"


def _place(plugin: str, hook: str) -> str:
    return f"plugin {quoted(plugin)}, hook {hook}"


@contextmanager
def _reported(plugin: str, hook: str) -> Iterator[None]:
    """Turn what a plugin raises into a PluginError that names the plugin and the hook."""
    try:
        yield
    except SitemapError:
        raise
    except FAILURES as error:
        raise PluginError(f"{_place(plugin, hook)}: {error_text(error)}") from error


class PluginManager:
    """The plugins of one build: the built-in ones, those installed, and the host's adapter."""

    def __init__(
        self,
        built_in: Iterable[object],
        plugins: Iterable[object],
        disabled: Sequence[str] = (),
    ) -> None:
        self._manager = pluggy.PluginManager(PROJECT_NAME)
        self._manager.add_hookspecs(hookspecs)
        self.problems: list[Problem] = []
        given = (*map(_named, built_in), *self._installed(disabled), *map(_named, plugins))
        for name, plugin in given:
            try:
                self._manager.register(plugin, name)
                self._manager.check_pending()
            except (pluggy.PluginValidationError, ValueError) as error:
                message = f"{shown(str(error).splitlines()[0])}; the hooks are {', '.join(HOOKS)}"
                raise PluginError(f"plugin {name!r}: {message}") from error

    def pages(self, site: Site) -> Iterator[Page]:
        """Yield every plugin's pages."""
        types: tuple[type, ...] = ()
        for name, result in self._calls("sitemap_pages", site=site):
            with _reported(name, "sitemap_pages"):
                for page in result:
                    # Most pages have in each field what the one before has: a text, a path, None.
                    if (
                        not isinstance(page, Page)
                        or (*map(type, page),) != types
                        or (page.kind, page.status, page.members, page.dependencies) != _USUAL
                    ):
                        types = _checked_types(page, name)
                    yield page

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
        list(self._calls("sitemap_written", site=site, report=report))

    def _functions(self, hook: str, **arguments: Any) -> list[Call[Any]]:
        calls = [Call(result, name, hook) for name, result in self._calls(hook, **arguments)]
        for result, name, _ in calls:
            if not callable(result):
                kind = type(result).__name__
                raise PluginError(f"{_place(name, hook)}: returned {kind}, not a function")
        return calls

    def _calls(self, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
        """Call each implementation in pluggy's order; yield the results that are not None."""
        for implementation in reversed(getattr(self._manager.hook, hook).get_hookimpls()):
            name = implementation.plugin_name
            with _reported(name, hook):
                result = implementation.function(*map(arguments.get, implementation.argnames))
            if result is not None:
                yield name, result

    def _installed(self, disabled: Sequence[str]) -> Iterator[tuple[str, object]]:
        found = {entry.name: entry for entry in importlib.metadata.entry_points(group=PROJECT_NAME)}
        for name in sorted({*disabled} - found.keys()):
            message = f"no plugin {name!r} is installed{did_you_mean(name, found)}"
            self.problems.append(Problem("warning", message, "disable_plugins"))
        for name in sorted(found.keys() - {*disabled}):
            entry = found[name]
            try:
                plugin = entry.load()
                yield name, plugin() if inspect.isclass(plugin) else plugin
            except FAILURES as error:
                message = f"cannot be loaded from {entry.value!r}: {error_text(error)}"
                cure = f"repair or remove it, or set disable_plugins: [{name}]"
                raise PluginError(f"plugin {name!r} {message}; {cure}") from error


def _named(plugin: object) -> tuple[str, object]:
    kind = type(plugin)
    name = f"{kind.__module__}.{kind.__qualname__}"
    return plugin.__name__ if isinstance(plugin, ModuleType) else name, plugin


def _is(kind: Any, *words: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind) and (not words or value in words)


def _all(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, tuple) and all(isinstance(item, kind) for item in value)


_USUAL = ("page", "published", (), ())
_FIELDS = {
    "a text": (_is(str), ("url",)),
    "a path or None": (_is(Path | None), ("source", "output")),
    "a text or None": (_is(str | None), ("source_path", "title", "language", "translation_key")),
    "a mapping": (_is(Mapping), ("metadata",)),
    "page, listing or pagination": (_is(str, "page", "listing", "pagination"), ("kind",)),
    "published, hidden or draft": (_is(str, "published", "hidden", "draft"), ("status",)),
    "texts": (_all(str), ("members",)),
    "paths": (_all(Path), ("dependencies",)),
}


def _checked_types(page: Any, plugin: str) -> tuple[type, ...]:
    """Return the types of a page's fields; raise PluginError for what is no page."""
    place = _place(plugin, "sitemap_pages")
    if not isinstance(page, Page):
        raise PluginError(f"{place}: expected a Page, got {quoted(page)}")
    for expected, (is_right, names) in _FIELDS.items():
        for name in names:
            if not is_right(value := getattr(page, name)):
                where = f"{place}, page {quoted(page.url)}"
                raise PluginError(f"{where}: expected {expected} as {name}, got {quoted(value)}")
    return (*map(type, page),)
