"""Built-in date sources, one file each, as ordinary hook implementations."""
