"""Read HTML as a browser does: the head for what it tells search engines, the rest for content."""

from sitemap_plugin.html.head import Head, parse_head, read_head

__all__ = ["Head", "parse_head", "read_head"]
