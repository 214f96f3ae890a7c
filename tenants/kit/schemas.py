"""The shapes of answers and payloads: camelCase outside, snake_case inside, nothing unknown let in."""

from __future__ import annotations

import re

from pydantic import AfterValidator, BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

# Control characters but for tab and line breaks; lone surrogates; Unicode's non-characters for "nothing".
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def _printable(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("contains characters that cannot be stored")
    return text


def _one_line(text: str) -> str:
    if "\n" in text or "\r" in text or "\t" in text:
        raise ValueError("must be a single line")
    return _printable(text)


class Answer(BaseModel):
    """What the API answers. No defaults, so that the generated types are required."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Payload(BaseModel):
    """What the API is sent. Unknown fields are refused; types are not guessed."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=False, extra="forbid", strict=True, str_strip_whitespace=True
    )


# Validators for Annotated[str, …]: one line of text, and text with line breaks.
ONE_LINE = AfterValidator(_one_line)
PRINTABLE = AfterValidator(_printable)
