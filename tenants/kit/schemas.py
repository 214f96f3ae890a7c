"""Base classes of API schemas: camelCase in JSON, snake_case in Python, no unknown fields."""

from __future__ import annotations

from typing import Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from tenants.kit.email_addresses import InvalidEmail, normalize_email
from tenants.kit.typed_text import ONE_LINE, PRINTABLE

__all__ = [
    "EMAIL",
    "ONE_LINE",
    "PRINTABLE",
    "WHOLE_SENTENCE",
    "MessageResponse",
    "Payload",
    "ResponseModel",
    "SuccessResponse",
    "field_error",
    "response_fields",
]

WHOLE_SENTENCE = "whole_sentence"  # the type of errors whose text is for people as it is


def _check_email(text: str) -> str:
    try:
        return normalize_email(text) if text else ""
    except InvalidEmail as error:
        raise PydanticCustomError(WHOLE_SENTENCE, "{sentence}", {"sentence": str(error)}) from None


def field_error(field: str, sentence: str) -> PydanticCustomError:
    """Return the error of a rule about several fields, to be shown at `field` (its name in JSON)."""
    return PydanticCustomError(WHOLE_SENTENCE, "{sentence}", {"sentence": sentence, "field": field})


class ResponseModel(BaseModel):
    """The base of responses. Fields have no defaults, so that they are required in the generated types."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


def response_fields(model: type[BaseModel]) -> type[ResponseModel]:
    """Return a response model with the fields of `model`, required and without its checks.

    Stored values stay readable when a check becomes stricter.
    """
    fields: dict[str, Any] = {
        name: (field.annotation, Field(title=field.title)) for name, field in model.model_fields.items()
    }
    return create_model(f"{model.__name__}Response", __base__=ResponseModel, **fields)


class Payload(BaseModel):
    """The base of request bodies. Unknown fields are rejected; types are not converted."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=False, extra="forbid", strict=True, str_strip_whitespace=True
    )


# For Annotated[str, …]: an address that email can reach, in the form to store. An empty text stays empty.
EMAIL = AfterValidator(_check_email)


class SuccessResponse(ResponseModel):
    """The response of a call that returns no data."""

    success: bool


class MessageResponse(ResponseModel):
    """The response of a call that returns only a message for people."""

    success: bool
    message: str
