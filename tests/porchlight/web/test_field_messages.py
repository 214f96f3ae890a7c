"""The words for each kind of refused field, read from real models."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal, Self

import pytest
from pydantic import AfterValidator, AwareDatetime, Field, StringConstraints, ValidationError, model_validator

from porchlight.web.field_messages import validation_error
from tenants.kit.schemas import EMAIL, ONE_LINE, PRINTABLE, Payload, field_error


def _one_day(text: str) -> str:
    if text == "never":
        raise ValueError("must be a day")
    if text == "always":
        raise ValueError("Choose one day.")
    return text


class Range(Payload):
    start: int = 0
    end: int = 1

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.end <= self.start:
            raise field_error("end", "This must be after the start.")
        return self


class Form(Payload):
    name: Annotated[str, StringConstraints(min_length=1, max_length=5), ONE_LINE] = "x"
    code: Annotated[str, StringConstraints(min_length=6, pattern="^[0-9]+$")] = "123456"
    text: Annotated[str, PRINTABLE] = ""
    email: Annotated[str, EMAIL] = ""
    spots: Annotated[int, Field(ge=1, le=2000)] = 1
    below: Annotated[float, Field(gt=0, lt=5)] = 1
    price_cents: Annotated[int, Field(ge=500, le=1_000_000)] = 500
    tip_cents: Annotated[int, Field(ge=50)] = 50
    tags: Annotated[list[str], Field(min_length=1, max_length=3)] = Field(default_factory=lambda: ["a"])
    days: Annotated[list[int], Field(min_length=2)] = Field(default_factory=lambda: [1, 2])
    kind: Literal["a", "b"] = "a"
    sure: bool = True
    day: Annotated[date, Field(strict=False)] = date(2027, 1, 13)
    at: Annotated[AwareDatetime | None, Field(strict=False)] = None
    born: Annotated[date, Field(strict=False, ge=date(2000, 1, 1))] = date(2027, 1, 13)
    until: Annotated[AwareDatetime | None, Field(strict=False, le=datetime(2200, 1, 1, tzinfo=UTC))] = None
    rule: Annotated[str, AfterValidator(_one_day)] = ""
    hours: list[Range] = Field(default_factory=list)


def _fields(payload: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(ValidationError) as caught:
        Form.model_validate(payload)
    return dict(validation_error(caught.value.errors()).fields or {})


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "abcdef"}, "Use 5 characters or fewer."),
        ({"name": 5}, "This must be text."),
        ({"name": "a\nb"}, "This must be a single line."),
        ({"code": "12"}, "Use 6 characters or more."),
        ({"code": "letters"}, "This isn't valid."),
        ({"text": "a\x00b"}, "This contains characters we can't save."),
        ({"spots": 0}, "Use 1 or more."),
        ({"spots": 2001}, "Use 2,000 or less."),
        ({"spots": 1.5}, "This must be a whole number."),
        ({"spots": "1"}, "This must be a whole number."),
        ({"below": 0}, "Use more than 0."),
        ({"below": "x"}, "This must be a number."),
        ({"priceCents": 499}, "Use $5 or more."),
        ({"priceCents": 1_000_001}, "Use $10,000 or less."),
        ({"tipCents": 1}, "Use $0.50 or more."),
        ({"tags": []}, "Choose at least one."),
        ({"tags": ["a"] * 4}, "Choose 3 or fewer."),
        ({"tags": "a"}, "This must be a list."),
        ({"days": [1]}, "Choose at least 2."),
        ({"kind": "c"}, "This isn't one of the choices."),
        ({"sure": "yes"}, "This must be true or false."),
        ({"day": "soon"}, "This must be a date, such as 2026-05-31."),
        ({"day": "2027-02-30"}, "This must be a date, such as 2026-05-31."),
        ({"at": "2027-01-13T10:00:00"}, "This must be a time with its offset, such as 2026-05-31T18:00:00Z."),
        ({"at": "later"}, "This must be a time with its offset, such as 2026-05-31T18:00:00Z."),
        ({"born": "1999-12-31"}, "Use 2000-01-01 or later."),
        ({"until": "2201-01-01T00:00:00Z"}, "Use 2200-01-01 or earlier."),
        ({"rule": "never"}, "This must be a day."),
        ({"rule": "always"}, "Choose one day."),
        ({"hours": 5}, "This must be a list."),
        ({"color": "red"}, "This field isn't recognized."),
    ],
)
def test_field_message_says_what_to_do(payload: dict[str, Any], message: str) -> None:
    assert _fields(payload) == {next(iter(payload)): message}


def test_field_message_of_email_is_its_own_sentence() -> None:
    assert _fields({"email": "anna"})["email"].endswith(".")


def test_rule_about_two_fields_names_one_of_them() -> None:
    hours = [{"start": 0, "end": 9}, {"start": 9, "end": 5}]
    assert _fields({"hours": hours}) == {"hours.1.end": "This must be after the start."}


def test_many_wrong_fields_are_named_up_to_a_limit() -> None:
    fields = _fields({f"extra{number}": 1 for number in range(80)} | {"x" * 200: 1})
    assert len(fields) == 50
    assert all(len(name) <= 80 for name in fields)
