"""Which pages the sitemap lists: collect them, read their front matter, leave some out."""
