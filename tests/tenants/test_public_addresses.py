"""Addresses of the public internet."""

from __future__ import annotations

import pytest

from tenants.kit.public_addresses import is_public
from tests.fixtures.private_addresses import PRIVATE


@pytest.mark.parametrize("address", PRIVATE)
def test_private_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::", "2606:4700::5efe:808:808"],
)
def test_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)
