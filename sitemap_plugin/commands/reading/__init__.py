"""Sitemap files of anybody, read into entries as they are written; nothing is judged but the file.

``reader.read_sitemap(data, name)`` is the way in.
"""
