"""Which pages are listed, under which address, and what is said of the others."""

from pathlib import Path

import pytest

from site_cases import check_site, read_cases

CASES = read_cases(__file__)


@pytest.mark.parametrize("name", CASES)
def test_a_site_is_listed_as_its_pages_and_options_say(tmp_path: Path, name: str) -> None:
    check_site(tmp_path, CASES[name])
