"""When files last changed, as git knows it: one `git log` for each repository of a site."""
