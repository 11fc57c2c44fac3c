"""Which pages are listed, under which address, and what is said of the others."""

from pathlib import Path

import pytest

from files import read_table
from sites import check_site

CASES = read_table(__file__, "sites.yaml")


@pytest.mark.parametrize("name", CASES)
def test_a_site_is_listed_as_its_pages_and_options_say(tmp_path: Path, name: str) -> None:
    check_site(tmp_path, CASES[name])
