"""What people look at in a browser.

``stylesheet``   the style of the sitemap itself, ``sitemap.css``, and its place in the site
``page``         a page that stands alone: totals, charts, and a table to search and sort
``charts``       the page's bars and timelines
``report``       the report as such a page
"""
