"""The setting that says where a site is published."""

from __future__ import annotations

from typing import NamedTuple

from sitemap_plugin.common.urls import check_base_url, is_local_host
from sitemap_plugin.config import Config
from sitemap_plugin.errors import ConfigError, Problem


class BaseUrl(NamedTuple):
    """Where a site is published, None where there can be no sitemap, and what to say about it.

    ``host_url`` is what the generator's own setting says, where the option ``base_url`` wins.
    """

    url: str | None
    host_url: str | None = None
    problems: list[Problem] = []  # noqa: RUF012 - never changed


def find_base_url(
    config: Config, value: object, *, setting: str, generator: str, preview: bool = False
) -> BaseUrl:
    """Return the base URL: the option ``base_url``, else the generator's own ``setting``.

    ``value`` is what that setting says. ``preview`` is true when the generator serves the site on
    this machine, where a local address is right. Raises ConfigError for a setting that is no base
    URL, with the corrected form; in Pelican and Sphinx, which check nothing, that is a warning.
    """
    if config.base_url is not None and not preview:
        try:
            host_url = check_base_url(value)
        except ValueError:
            host_url = None
        return BaseUrl(config.base_url, host_url if host_url != config.base_url else None)
    if value == "" and generator == "mkdocs":
        message = "empty, so there is no sitemap: its URLs must be absolute"
        return BaseUrl(None, problems=[Problem("notice", message, setting)])
    try:
        url, problems = read_base_url(value, setting=setting, preview=preview)
    except ConfigError as error:
        if generator not in {"pelican", "sphinx"}:
            raise
        _, _, message = str(error).partition(": ")
        problems = [Problem("warning", f"{message}; there is no sitemap until then", setting)]
        return BaseUrl(None, problems=problems)
    return BaseUrl(url, problems=problems)


def read_base_url(
    value: object, *, setting: str, preview: bool = False
) -> tuple[str | None, list[Problem]]:
    """Return the base URL that a setting gives, ending in ``/``, and what to say about it.

    Without a value there is no sitemap: None and one warning. Raises ConfigError, with the
    corrected form, for a value that is no base URL.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        message = (
            "not set, so there is no sitemap: its URLs must be absolute; "
            "set it to the address of the published site, like https://example.org/"
        )
        return None, [Problem("warning", message, setting)]
    try:
        base_url = check_base_url(value)
    except ValueError as error:
        raise ConfigError([f"{setting}: {error}"]) from error
    if is_local_host(base_url) and not preview:
        message = (
            f"{base_url} is an address on this machine, which search engines cannot reach; "
            "set it to the address of the published site"
        )
        return base_url, [Problem("warning", message, setting)]
    return base_url, []
