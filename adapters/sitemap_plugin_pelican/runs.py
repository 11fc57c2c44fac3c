"""Follow Pelican's runs through its signals and note what each of them writes.

A run may contain others: pelican-i18n-subsites builds a nested Pelican per language inside the
main one. All that they write belongs to the main run, which alone ends in a sitemap.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from pelican.plugins import signals

from sitemap_plugin.errors import ConfigError
from sitemap_plugin_pelican import host
from sitemap_plugin_pelican.finish import Options, read_options, write_sitemap
from sitemap_plugin_pelican.writes import Instance, Writes

TOKEN = "SITEMAP_PLUGIN_INSTANCE"  # noqa: S105 - the name of a setting
"""The setting that marks an instance's settings, and with them the context of all its pages.

A nested instance gets a copy of the settings around it, and so tells where it belongs. A number,
since Pelican pickles settings into its content cache.
"""

_tokens = itertools.count(1)
_options: WeakKeyDictionary[Any, Options] = WeakKeyDictionary()
_runs: WeakKeyDictionary[Any, Writes] = WeakKeyDictionary()
_by_token: WeakValueDictionary[int, Writes] = WeakValueDictionary()


def on_initialized(pelican: Any) -> None:
    """Check the options before any work is done, and mark the instance."""
    around = _find(pelican.settings)
    token = pelican.settings[TOKEN] = next(_tokens)
    if around is not None:
        around.instances[token] = Instance(pelican.settings)
        _by_token[token] = around
        return
    try:
        _options[pelican] = read_options(pelican.settings)
    except ConfigError as error:
        host.fail(error)


def on_get_generators(pelican: Any) -> None:
    """Start afresh, also when ``pelican --autoreload`` runs the same object again."""
    if pelican not in _options:
        return
    token = pelican.settings[TOKEN]
    _runs[pelican] = _by_token[token] = Writes(token, Instance(pelican.settings))
    # Connected last, this is called after what other plugins do to the finished files.
    signals.finalized.disconnect(on_finalized)
    signals.finalized.connect(on_finalized)


def on_static_generator_finalized(generator: Any) -> None:
    """Remember the static files, whose places are known only when all is written."""
    writes = _find(generator.settings)
    if writes is not None:
        instance = writes.instances[generator.settings[TOKEN]]
        instance.static_files = generator.staticfiles
        instance.context = generator.context


def on_content_written(path: str, context: Mapping[str, Any]) -> None:
    """Note a file that Pelican says it has written."""
    writes = _find(context)
    if writes is not None:
        writes.add(path, context, writes.instances[context[TOKEN]])


def on_finalized(pelican: Any) -> None:
    """Write the sitemap when the outermost run has ended."""
    writes = _runs.pop(pelican, None)
    if writes is not None:
        write_sitemap(writes, _options[pelican])


def _find(marked: Mapping[str, Any]) -> Writes | None:
    """Return the run that settings, or a context made of them, belong to."""
    return _by_token.get(marked.get(TOKEN, 0))
