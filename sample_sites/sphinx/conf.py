"""The sitemap needs one line in ``extensions`` and ``html_baseurl``."""

project = "Kiln"
extensions = ["sitemap_plugin_sphinx"]
html_baseurl = "https://kiln.example/"
sitemap = {"rules": [{"match": "reference.rst", "changefreq": "monthly"}]}
