"""A bilingual blog, small enough to read, in which every page shows one thing."""

SITENAME = "Harbour Notes"
SITEURL = "https://blog.example.org"
AUTHOR = "Ada"
TIMEZONE = "Europe/Berlin"
DEFAULT_LANG = "en"

PATH = "content"
OUTPUT_PATH = "output"
THEME = "simple"
ARTICLE_PATHS = ["articles"]
PAGE_PATHS = ["pages"]
STATIC_PATHS = ["extra"]
EXTRA_PATH_METADATA = {"extra/robots.txt": {"path": "robots.txt"}}

# Articles without .html, pages as folders.
ARTICLE_URL = "{slug}"
ARTICLE_SAVE_AS = "{slug}.html"
ARTICLE_LANG_URL = "{lang}/{slug}"
ARTICLE_LANG_SAVE_AS = "{lang}/{slug}.html"
PAGE_URL = "{slug}/"
PAGE_SAVE_AS = "{slug}/index.html"
PAGE_LANG_URL = "{lang}/{slug}/"
PAGE_LANG_SAVE_AS = "{lang}/{slug}/index.html"
YEAR_ARCHIVE_URL = "{date:%Y}/"
YEAR_ARCHIVE_SAVE_AS = "{date:%Y}/index.html"
AUTHOR_SAVE_AS = ""
AUTHORS_SAVE_AS = ""
DEFAULT_PAGINATION = 3
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None
AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None

PLUGINS = ["sitemap_plugin"]
SITEMAP = {
    "exclude": ["/categories.html"],
    "rules": [{"match": "pages/", "changefreq": "yearly"}],
}
