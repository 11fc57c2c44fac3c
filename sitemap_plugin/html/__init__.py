"""Read HTML as a browser does: the head for what it tells search engines, the rest for content."""
