"""Take the picture in the README: the sitemap of a sample site in a browser. ``make picture``."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import ViewportSize, sync_playwright

from chromium import ARGUMENTS, PROGRAM
from markdown_text import ROOT
from pelican_sites import PELICAN

PICTURE = ROOT / "docs" / "images" / "sitemap-in-a-browser.png"
SITE = ROOT / "sample_sites" / "pelican"
SIZE: ViewportSize = {"width": 920, "height": 455}


def take(path: Path) -> None:
    """Build the site, open its sitemap in Chromium and write what is seen to a PNG file."""
    with TemporaryDirectory() as folder:
        # Outside the repository the dates are those of the texts, and the picture stays the same.
        site = shutil.copytree(SITE, Path(folder) / "site")
        command = [str(PELICAN), "content", "-o", "../output"]
        subprocess.run(command, check=True, capture_output=True, cwd=site)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto((Path(folder) / "output" / "sitemap.xml").as_uri())
            page.screenshot(path=path)
            browser.close()


if __name__ == "__main__":
    if PROGRAM is None:
        sys.exit("there is no Chromium; on Debian: apt-get install chromium")
    take(PICTURE)
