"""Browsers of these tests open the server as `localhost`, where they may have passkeys."""

import pytest


@pytest.fixture
def url(url: str) -> str:
    return url.replace("127.0.0.1", "localhost")
