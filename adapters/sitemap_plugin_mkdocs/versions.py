"""What is known of a page as one of several language versions."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["NO_VERSION", "Version"]


class Version(NamedTuple):
    """A language version of a page; the fields are those of the core's ``Page``."""

    language: str | None = None
    translation_key: str | None = None
    fallback: bool = False


NO_VERSION = Version()
