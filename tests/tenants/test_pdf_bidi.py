"""The order of a line that is written from right to left, or in both directions."""

import pytest

from tenants.kit.pdf_text.bidi import base_level, resolve_levels, visual_order


def _visual(text: str) -> str:
    """Return the characters from left to right. Brackets at odd levels are drawn mirrored; here they stay as typed."""
    return "".join(text[index] for index in visual_order(resolve_levels(text)))


@pytest.mark.parametrize(
    ("text", "visual"),
    [
        ("Ida", "Ida"),
        ("אבג", "גבא"),
        ("Name: אבג", "Name: גבא"),
        ("Name: אבג (דה) (7)", "Name: )7( )הד( גבא"),
        ("Name: אבג (abc)", "Name: גבא (abc)"),
        ("אבג 12", "12 גבא"),
        ("אבג 3.5%", "3.5% גבא"),
        ("אבג (abc)", ")abc( גבא"),
        ("a אב-גד c", "a דג-בא c"),
    ],
)
def test_levels_of_mixed_text_order_it(text: str, visual: str) -> None:
    assert _visual(text) == visual


def test_base_level_is_that_of_first_letter() -> None:
    assert [base_level(text) for text in ("", "12 -", "1 a ש", "1 ש a")] == [0, 0, 0, 1]
