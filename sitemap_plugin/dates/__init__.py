"""When each page changed."""
