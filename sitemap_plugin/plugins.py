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
from sitemap_plugin.common.text import did_you_mean, error_text, quoted, shown
from sitemap_plugin.errors import PluginError, Problem, SitemapError
from sitemap_plugin.hookspecs import (
    PROJECT_NAME,
    ExclusionFunction,
    LastmodFunction,
    TransformFunction,
)
from sitemap_plugin.models import Page, Site
from sitemap_plugin.report import Report

__all__ = ["Call", "PluginManager"]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

FAILURES = (Exception, SystemExit)
"""What a plugin may raise; one that exits would end the build without a sitemap or a word."""

HOOKS = tuple(name for name in hookspecs.__all__ if name.startswith("sitemap_"))


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
            raise _failure(self.plugin, self.hook, error, page.where) from error

    def guard(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call one more function of the plugin; raise PluginError if it raises."""
        try:
            return function(*arguments)
        except FAILURES as error:
            raise _failure(self.plugin, self.hook, error) from error

    def returned(self, value: object, expected: str, page: Page) -> SitemapError:
        """Return the error to raise when the function has returned something of another type."""
        place = f"plugin {quoted(self.plugin)}, hook {self.hook}, page {shown(page.where)}"
        return PluginError(f"{place}: expected {expected}, got {quoted(value)}")


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
        for name, plugin in (*built_in, *self._installed(disabled), *plugins):
            self._register(name, plugin)

    def pages(self, site: Site) -> Iterator[Page]:
        """Yield every plugin's pages."""
        known: set[tuple[type, ...]] = set()
        is_kind, is_status = _FIELDS["kind"][0], _FIELDS["status"][0]
        for name, result in self._calls("sitemap_pages", site=site):
            try:
                for page in result:
                    if (
                        type(page) is Page
                        and (*map(type, page),) in known
                        and is_kind(page.kind)
                        and is_status(page.status)
                        and not (page.members or page.dependencies)
                    ):
                        yield page
                    else:
                        yield _checked_page(page, name, known)
            except SitemapError:
                raise
            except FAILURES as error:
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
            except FAILURES as error:
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
            except FAILURES as error:
                cure = f"repair or remove it, or set disable_plugins: [{name}]"
                raise PluginError(
                    f"plugin {name!r} cannot be loaded from {entry.value!r}: "
                    f"{error_text(error)}; {cure}"
                ) from error
            yield name, plugin

    def _register(self, name: str, plugin: object) -> None:
        try:
            self._manager.register(plugin, name)
        except (pluggy.PluginValidationError, ValueError) as error:
            raise PluginError(f"plugin {name!r}: {shown(str(error))}") from error
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


def _checked_page(page: Any, plugin: str, known: set[tuple[type, ...]]) -> Page:
    """Return a plugin's page, its paths as paths; raise PluginError for what is no page.

    ``known`` takes the types of the fields of pages that are right; most pages are of one kind.
    """
    place = f"plugin {quoted(plugin)}, hook sitemap_pages"
    if not isinstance(page, Page):
        raise PluginError(f"{place}: expected a Page, got {quoted(page)}")
    fields = page._asdict()
    for name in ("source", "output"):
        if isinstance(fields[name], str):
            fields[name] = Path(fields[name])
    for name in ("members", "dependencies"):
        if isinstance(fields[name], list):
            fields[name] = tuple(fields[name])
    if isinstance(fields["dependencies"], tuple):
        paths = (Path(path) if isinstance(path, str) else path for path in fields["dependencies"])
        fields["dependencies"] = tuple(paths)
    for name, (is_right, expected) in _FIELDS.items():
        if not is_right(fields[name]):
            value, url = quoted(fields[name]), quoted(fields["url"])
            raise PluginError(f"{place}, page {url}: expected {expected} as {name}, got {value}")
    checked = Page(**fields)
    if checked == page:
        known.add((*map(type, page),))
    return checked


def _is_one_of(*words: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in words


def _is_all(value: object, kind: type) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, kind) for item in value)


_FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "url": (lambda value: isinstance(value, str), "a text"),
    "source": (lambda value: isinstance(value, Path | None), "a path or None"),
    "source_path": (lambda value: isinstance(value, str | None), "a text or None"),
    "output": (lambda value: isinstance(value, Path | None), "a path or None"),
    "metadata": (lambda value: isinstance(value, Mapping), "a mapping"),
    "title": (lambda value: isinstance(value, str | None), "a text or None"),
    "language": (lambda value: isinstance(value, str | None), "a text or None"),
    "translation_key": (lambda value: isinstance(value, str | None), "a text or None"),
    "kind": (_is_one_of("page", "listing", "pagination"), "page, listing or pagination"),
    "members": (lambda value: _is_all(value, str), "texts"),
    "status": (_is_one_of("published", "hidden", "draft"), "published, hidden or draft"),
    "dependencies": (lambda value: _is_all(value, Path), "paths"),
}


def _failure(plugin: str, hook: str, error: BaseException, page: str | None = None) -> PluginError:
    where = f", page {shown(page)}" if page else ""
    return PluginError(f"plugin {quoted(plugin)}, hook {hook}{where}: {error_text(error)}")
