"""The Pelican adapter: tells the core which pages Pelican wrote."""

from collections.abc import Mapping
from typing import Any

from pelican.plugins import signals

from sitemap_plugin_pelican.finish import read_options, write_sitemap
from sitemap_plugin_pelican.headers import keep_words
from sitemap_plugin_pelican.writes import MARK, Instance, Run


def register() -> None:
    """Connect to Pelican's signals; doing so twice has no further effect."""
    keep_words()
    signals.initialized.connect(on_initialized)
    signals.get_generators.connect(on_get_generators)
    signals.static_generator_finalized.connect(on_static_generator_finalized)
    signals.content_written.connect(on_content_written)


def on_initialized(pelican: Any) -> None:
    """Check the options before any work is done, and mark the instance."""
    around = pelican.settings.get(MARK)
    if around is not None and around.run.is_running:
        pelican.settings[MARK] = Instance(pelican.settings, around.run)
    else:
        run = Run(read_options(pelican.settings))
        pelican.settings[MARK] = run.main = Instance(pelican.settings, run)


def on_get_generators(pelican: Any) -> None:
    """Start afresh, also when ``pelican --autoreload`` runs the same object again."""
    instance: Instance = pelican.settings[MARK]
    if instance is instance.run.main:
        instance.run.clear()
        instance.run.is_running = True
        # Connected last, this is called after what other plugins do to the finished files.
        signals.finalized.disconnect(on_finalized)
        signals.finalized.connect(on_finalized)
    instance.run.instances.append(instance)


def on_static_generator_finalized(generator: Any) -> None:
    """Remember the static files, whose places are known only when all is written."""
    instance: Instance = generator.settings[MARK]
    instance.static_files = generator.staticfiles
    instance.context = generator.context


def on_content_written(path: str, context: Mapping[str, Any]) -> None:
    """Note a file that Pelican says it has written."""
    instance: Instance | None = context.get(MARK)
    if instance is not None:
        instance.run.add(path, context, instance)


def on_finalized(pelican: Any) -> None:
    """Write the sitemap when the outermost run has ended."""
    run: Run = pelican.settings[MARK].run
    if pelican.settings[MARK] is run.main:
        run.is_running = False
        write_sitemap(run)
        run.clear()
