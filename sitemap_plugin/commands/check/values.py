"""What is wrong with lastmod, changefreq and priority."""

from __future__ import annotations

import datetime as dt
import re

from sitemap_plugin.commands.check.findings import Fault, quote
from sitemap_plugin.config.checks import CHANGEFREQS
from sitemap_plugin.dates.parse import DateError, check_range, parse_w3c

__all__ = ["changefreq_fault", "lastmod_fault", "priority_fault"]

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
# Forms that need no calendar to be right.
_USUAL = re.compile(
    r"(?:19[7-9][0-9]|2[0-9]{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?"
    r"(?:Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]))?"
)
_NAIVE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?")


def lastmod_fault(text: str, now: dt.datetime) -> Fault | None:
    """Judge a lastmod: a W3C Datetime, from 1970 up to ``now`` and a day."""
    if _USUAL.fullmatch(text) and text[:10] < now.date().isoformat():
        return None
    if not text:
        return Fault("lastmod-invalid", "The lastmod is empty.", "Write a date, or leave it out.")
    try:
        date, _ = parse_w3c(text)
    except DateError as error:
        cause, _, cure = str(error).partition("; ")
        return Fault("lastmod-invalid", f"The lastmod {cause}.", _date_cure(cure))
    try:
        check_range(date, now)
    except DateError:
        if date.year < 1970:  # noqa: PLR2004 - the year that the code names
            message = f"The lastmod {quote(text)} is before 1970."
            cure = "Write the day of the last change, or leave lastmod out."
            return Fault("lastmod-before-1970", message, cure)
        message = f"The lastmod {quote(text)} is in the future."
        cure = "Write the day of the last change; check the clock of the machine that builds."
        return Fault("lastmod-future", message, cure)
    return None


def _date_cure(cure: str) -> str:
    """Make a sentence of a cure, and complete a time that has no zone."""
    text = cure.removeprefix("write ")
    if _NAIVE.fullmatch(text):
        text += "+00:00, with the right offset"
    return f"Write {text}."


def changefreq_fault(text: str) -> Fault | None:
    """Judge a changefreq: one of seven words, in lower case."""
    if text in CHANGEFREQS:
        return None
    word = text.lower()
    if word in CHANGEFREQS:
        cure = f"Write {word}, in lower case."
    else:
        cure = f"Write one of {', '.join(CHANGEFREQS)}, or leave it out."
    return Fault("changefreq-invalid", f"The changefreq {quote(text)} is unknown.", cure)


def priority_fault(text: str) -> Fault | None:
    """Judge a priority: a decimal number from 0 to 1."""
    normal = text.replace(",", ".")
    if not _FLOAT.fullmatch(normal) or not 0 <= float(normal) <= 1:
        message = f"The priority {quote(text)} is not a number from 0.0 to 1.0."
        return Fault("priority-invalid", message, "Write one, or leave it out.")
    if _DECIMAL.fullmatch(text):
        return None
    message = f"The priority {quote(text)} is not written as a decimal number."
    shown = f"{float(normal):.3f}".rstrip("0")
    shown += "0" if shown.endswith(".") else ""
    return Fault("priority-notation", message, f"Write {shown}.")
