"""Sitemap files of anybody, read by ``reader.read_sitemap`` into entries as they are written."""
