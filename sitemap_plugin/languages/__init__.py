"""Languages of pages: codes, names, and sets of translations with their hreflang links."""
