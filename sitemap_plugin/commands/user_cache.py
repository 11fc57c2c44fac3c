"""Where to keep what a later run can do without, outside of any site."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

__all__ = ["FOLDER_VARIABLE", "user_cache"]

FOLDER_VARIABLE = "SITEMAP_PLUGIN_CACHE_DIR"


def user_cache(environment: Mapping[str, str], platform: str) -> Path | None:
    """Return this user's folder for caches of this package, None where there is no place for one.

    ``SITEMAP_PLUGIN_CACHE_DIR`` wins, then the custom of the platform (XDG on Linux).
    """
    if own := environment.get(FOLDER_VARIABLE):
        return Path(own).absolute()
    home = Path("~")
    with contextlib.suppress(RuntimeError):  # Nobody's home is known.
        home = home.expanduser()
    if platform == "win32":
        base = Path(environment.get("LOCALAPPDATA", ""))
    elif platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(environment.get("XDG_CACHE_HOME", ""))
        if not base.is_absolute():  # The specification says to ignore it then.
            base = home / ".cache"
    return base / "sitemap-plugin" if base.is_absolute() else None
