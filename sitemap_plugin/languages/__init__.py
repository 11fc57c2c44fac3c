"""Languages of pages: codes, names, and sets of translations with their hreflang links."""

from sitemap_plugin.languages.codes import X_DEFAULT, Language, normalize

__all__ = ["X_DEFAULT", "Language", "normalize"]
