"""What the protocol allows."""

from __future__ import annotations

import pytest

from sitemap_plugin.write.protocol import url_fault


@pytest.mark.parametrize("url", ["http://u:secret@h/x", "https://u@h", "http://u:secret@h?a=@"])
def test_an_address_with_a_password_is_not_written(url: str) -> None:
    assert "user name" in str(url_fault(url))
    assert url_fault("https://h/@u:x") is None
