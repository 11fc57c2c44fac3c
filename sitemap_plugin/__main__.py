"""The command line as ``python -m sitemap_plugin``."""

import sys

from sitemap_plugin.commands.cli import main

sys.exit(main())
