"""The setting that says where a site is published."""

from __future__ import annotations

from sitemap_plugin.common.urls import check_base_url, is_local_host
from sitemap_plugin.errors import ConfigError, Problem

__all__ = ["read_base_url"]


def read_base_url(
    value: object, *, setting: str, preview: bool = False
) -> tuple[str | None, list[Problem]]:
    """Return the base URL that a host's setting gives, ending in ``/``, and what to say about it.

    Without a value there is no sitemap: None and one warning. ``preview`` is true when the host
    serves the site on this machine, where a local address is right. Raises ConfigError, with the
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
