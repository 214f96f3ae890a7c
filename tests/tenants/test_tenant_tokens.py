"""base64url, and tokens that begin with a tenant's id."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenants.kit.base64url import decode_base64url, encode_base64url
from tenants.kit.errors import NotFound
from tenants.kit.tenant_tokens import encode_tenant_token, parse_tenant_token_or_404

TOKEN = encode_tenant_token(UUID(int=7), bytes(range(16)))


@given(data=st.binary(max_size=70))
def test_base64url_has_one_spelling(data: bytes) -> None:
    text = encode_base64url(data)
    assert decode_base64url(text) == data
    for other in (text + "=", text + "\n", " " + text, text + "\0"):
        with pytest.raises(ValueError):
            decode_base64url(other)


@pytest.mark.parametrize("text", ["AB", "AAB", "A", "A+==", "AAé"])
def test_base64url_with_unused_bits_is_rejected(text: str) -> None:
    with pytest.raises(ValueError):
        decode_base64url(text)


@given(tenant_id=st.uuids(), rest=st.binary(min_size=16, max_size=16))
def test_tenant_token_parses_back(tenant_id: UUID, rest: bytes) -> None:
    assert parse_tenant_token_or_404(encode_tenant_token(tenant_id, rest)) == (tenant_id, rest)


@pytest.mark.parametrize(
    "text", ["", TOKEN[:-1], TOKEN + "A", TOKEN + "=", TOKEN[:-1] + "9", TOKEN[:-1] + "é", "+" + TOKEN[1:], "\0" * 43]
)
def test_malformed_tenant_token_is_not_found(text: str) -> None:
    with pytest.raises(NotFound):
        parse_tenant_token_or_404(text)
