"""What is wrong with the elements of a sitemap, as opposed to the values in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from xml.parsers.expat import errors

from sitemap_plugin.commands.check.batch import Kind
from sitemap_plugin.commands.check.findings import Fault, FileFindings, quote
from sitemap_plugin.commands.check.vocabulary import (
    ENTRIES,
    NAMESPACE,
    OLD_NAMESPACE,
    nearest,
    split_name,
)
from sitemap_plugin.write.protocol import MAX_IMAGES

__all__ = ["GiveUpError", "Structure", "explain_error"]

_DEEPEST = 50
_MOST_NAMES = 1000
_FEEDS = frozenset({"rss", "feed", "RDF"})
_SCHEMA_LOCATION = "http://www.w3.org/2001/XMLSchema-instance "
_CONTROLS = frozenset(bytes([code]) for code in range(32) if chr(code) not in "\t\n\r")
_BARE_AMPERSAND = re.compile(rb"&(?![A-Za-z#][A-Za-z0-9]*;)")
_TAG_PREFIX = re.compile(rb"<([A-Za-z_][\w.-]*):")


class GiveUpError(Exception):
    """The rest of a file is not read, for a reason; for none where that has been reported."""

    def report(self, found: FileFindings, line: int) -> None:
        """Record why."""
        if self.args:
            message = f"Nothing was read after this line, since {self.args[0]}."
            cure = "Correct that, and check again."
            found.add("not-read", message, cure, line=line)


class Structure:
    """Judges the elements of one file and records what is wrong with them."""

    def __init__(self, found: FileFindings) -> None:
        self._found = found
        self._namespace = NAMESPACE
        self._root = "urlset"
        self._names: set[str] = set()

    def root(
        self, name: str, attributes: Sequence[str], line: int
    ) -> tuple[Kind, str, Mapping[str, int]]:
        """Judge the root; return the file's kind, its entries' name, and their elements' places."""
        namespace, local = split_name(name)
        if local not in ENTRIES:
            self._foreign_root(local, line)
            raise GiveUpError
        self._namespace, self._root = namespace, local
        if namespace != NAMESPACE:
            self._wrong_root_namespace(namespace, line)
        self.check_attributes(name, attributes, line)
        entry, fields = ENTRIES[local]
        prefix = f"{namespace} " if namespace else ""
        places = {f"{prefix}{field}": place for place, field in enumerate(fields)}
        return "urlset" if local == "urlset" else "index", f"{prefix}{entry}", places

    def _foreign_root(self, local: str, line: int) -> None:
        if local in _FEEDS:
            message = "The file is a feed; its contents were not checked."
            cure = "List all pages in a sitemap too, since a feed holds only the newest."
            self._found.add("feed", message, cure, line=line)
            return
        guess = nearest(local, ENTRIES)
        meant = f"; is {quote(guess)} meant?" if guess else "."
        self._found.add(
            "unsupported-format",
            f"The root element is {quote(local)}, which no sitemap has{meant}",
            "Name a file whose root is urlset or sitemapindex.",
            line=line,
        )

    def _wrong_root_namespace(self, namespace: str, line: int) -> None:
        cure = f'Write xmlns="{NAMESPACE}".'
        if namespace == OLD_NAMESPACE:
            message = "The namespace is that of Google's protocol of 2005."
            self._found.add("namespace-old", message, cure, line=line)
            return
        given = f"The namespace is {quote(namespace)}" if namespace else "There is no namespace"
        message = f"{given}; search engines know the elements of one namespace only."
        self._found.add("namespace", message, cure, line=line)

    def wrong_namespace(self, name: str, right: str, line: int) -> None:
        """Record that an extension's element is in a namespace that is not quite its own."""
        namespace, local = split_name(name)
        self._found.add(
            "namespace",
            f"The element {quote(local)} is in the namespace {quote(namespace)}, which search "
            "engines do not know.",
            f'Write "{right}".',
            line=line,
        )

    def namespace_declared(self, prefix: str | None, _uri: str | None) -> None:
        """Take note of a namespace declaration."""
        self._note(f"xmlns:{prefix}")

    def skipped(self, name: str, attributes: Sequence[str], depth: int) -> None:
        """Take note of an element that is not judged."""
        if depth > _DEEPEST:
            raise GiveUpError(f"elements are nested {_DEEPEST} deep")
        self._note(name)
        for attribute in attributes[::2]:
            self._note(attribute)

    def _note(self, name: str) -> None:
        self._names.add(name)
        if len(self._names) > _MOST_NAMES:
            raise GiveUpError(f"there are more than {_MOST_NAMES:,} different names in it")

    def unknown_entry(self, name: str, attributes: Sequence[str], line: int) -> None:
        """Judge an element of the root that is not an entry."""
        self._unknown(name, [ENTRIES[self._root][0]], line)
        self.skipped(name, attributes, 0)

    def unknown_child(
        self, name: str, attributes: Sequence[str], fields: Iterable[str], line: int
    ) -> None:
        """Judge an element of an entry that is none of its fields."""
        self._unknown(name, [split_name(field)[1] for field in fields], line)
        self.skipped(name, attributes, 0)

    def _unknown(self, name: str, known: list[str], line: int) -> None:
        namespace, local = split_name(name)
        if namespace and namespace != self._namespace:
            return  # An extension that this check does not know.
        guess = nearest(local, known)
        self._found.add(
            "unknown-element",
            f"The element {quote(local)} has no place here.",
            f"Write {quote(guess)}." if guess else "Remove it, or correct its name.",
            line=line,
        )

    def check_attributes(self, name: str, attributes: Sequence[str], line: int) -> None:
        """Judge the attributes of an element that has none in the protocol."""
        for attribute in attributes[::2]:
            self._note(attribute)
            if attribute.startswith(_SCHEMA_LOCATION):
                continue
            self._found.add(
                "unknown-attribute",
                f"The attribute {quote(split_name(attribute)[1])} has no place on "
                f"{quote(split_name(name)[1])}.",
                "Remove it.",
                line=line,
            )

    def repeated(self, name: str, line: int) -> None:
        """Record a second element of a name in one entry."""
        local = split_name(name)[1]
        message = f"The entry has more than one {local}."
        self._found.add("repeated-element", message, "Keep one of them.", line=line)

    def misplaced(self, name: str, line: int) -> None:
        """Record an element that stands behind one that should come later."""
        entry, fields = ENTRIES[self._root]
        order = ", ".join(fields)
        self._found.add(
            "element-order",
            f"The element {split_name(name)[1]} comes too late in its entry.",
            f"Order the elements of {entry}: {order}, then links and images.",
            line=line,
        )

    def stray_text(self, text: str, line: int) -> None:
        """Record text between elements."""
        message = f"The text {quote(text)} stands between elements."
        self._found.add("stray-text", message, "Remove it.", line=line)

    def count_images(self, number: int, loc: str | None, line: int) -> None:
        """Record the first image of an entry that is one too many."""
        if number == MAX_IMAGES + 1:
            message = f"The page has more than {MAX_IMAGES:,} images."
            cure = "Keep the ones that matter most."
            self._found.add("too-many-images", message, cure, line=line, url=loc)

    def doctype(self, line: int, *, external: bool, inner: bool) -> None:
        """Judge a document type declaration; nothing is read of one that declares anything."""
        cure = "Remove the <!DOCTYPE ...>; a sitemap needs none."
        if inner:
            message = (
                "The document type declares entities or the like; nothing was read after this line."
            )
            self._found.add("entity", message, cure, line=line)
            raise GiveUpError
        more = " and leads to another file, which was not read" if external else ""
        message = f"The file has a document type{more}."
        self._found.add("doctype", message, cure, line=line)

    def skipped_entity(self, name: str, line: int) -> None:
        """Record a reference to an entity that may be declared in a file that is not read."""
        message = f"The entity {quote('&' + name + ';')} is not declared in this file."
        self._found.add("entity", message, "Write the character itself.", line=line)


def explain_error(code: int, data: bytes, position: int) -> Fault:
    """Say what keeps expat from going on at a position of ``data``, and what to do about it."""
    reason = errors.messages[code]
    before = data[max(0, position - 200) : position + 1]
    message, cure = f"The XML is not well-formed: {reason}.", "Correct the XML at this place."
    if code == errors.codes[errors.XML_ERROR_UNBOUND_PREFIX]:
        prefix = _TAG_PREFIX.match(data, position)
        name = prefix[1].decode("utf-8", "replace") if prefix else "..."
        message = f"The prefix {quote(name)} is not declared."
        cure = f'Add xmlns:{name}="..." to the root element.'
    elif code == errors.codes[errors.XML_ERROR_NO_ELEMENTS]:
        message, cure = "The file ends before its root element does.", "Write the whole file."
    elif code == errors.codes[errors.XML_ERROR_BAD_CHAR_REF]:
        message = "A reference such as &#1; stands for a character that XML does not allow."
        cure = "Remove it."
    elif data[position : position + 1] in _CONTROLS:
        message = f"The character U+{data[position]:04X} is not allowed in XML."
        cure = "Remove it."
    elif _BARE_AMPERSAND.search(before[before.rfind(b">") + 1 :]):
        message, cure = "An '&' is not escaped.", "Write &amp; instead."
    return Fault("xml-broken", message, cure)
