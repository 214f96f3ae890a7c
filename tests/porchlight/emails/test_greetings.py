"""The name by which an email calls a person."""

import pytest

from porchlight.emails.greetings import first_name


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Theo Barnes", "Theo"),
        ("Maria del Carmen Ruiz", "Maria"),
        ("Theo", "Theo"),
        ("Chef Guru", "Chef Guru"),
        ("Dr. Ada Hall", "Dr. Ada Hall"),
        ("J Smith", "J Smith"),
        ("", ""),
    ],
)
def test_first_name_of_a_full_name_is_its_first_word(name: str, called: str) -> None:
    assert first_name(name) == called
