"""Cutting the history off replies, in the forms in which mail programs write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.inbound_mail.html_text import plain_text
from porchlight.inbound_mail.reply_text import new_words

ADDRESS = "reply+0f1e2d3c@reply.porchlight.example"
LINK = "https://porchlight.example/messages/0197"
MARKS = (ADDRESS, LINK)
HISTORY = f"Theo wrote:\nDoes Tuesday work?\n\nOpen the conversation:\n{LINK}\n"
QUOTED = "".join(f"> {line}\n" for line in HISTORY.splitlines())

# What each mail program puts below the words.
HISTORIES = {
    "gmail": f"On Sun, Nov 29, 2026 at 9:38 PM Porchlight <{ADDRESS}>\nwrote:\n\n{QUOTED}",
    "gmail_german": f"Am So., 29. Nov. 2026 um 21:38 Uhr schrieb Porchlight <\n{ADDRESS}>:\n\n{QUOTED}",
    "gmail_spanish": f"El dom, 29 nov 2026 a las 21:38, Porchlight (<{ADDRESS}>)\nescribió:\n\n{QUOTED}",
    "gmail_japanese": f"2026年11月29日(日) 21:38 Porchlight <{ADDRESS}>:\n\n{QUOTED}",
    "apple_mail": f"Sent from my iPhone\n\n> On Nov 29, 2026, Porchlight <{ADDRESS}> wrote:\n> \n> \ufeff\n{QUOTED}",
    "thunderbird": f"On 11/29/26 21:38, Porchlight wrote:\n{QUOTED}",
    "thunderbird_german": f"Am 29.11.26 um 21:38 schrieb Porchlight:\n{QUOTED}",
    "outlook": (
        f"________________________________\nFrom: Porchlight <{ADDRESS}>\nSent: Sunday, November 29, 2026 9:38 PM\n"
        f"To: Ada <ada@example.com>\nSubject: Theo wrote to you\n\n{HISTORY}"
    ),
    "outlook_name_only": (
        f"Von: Porchlight\nGesendet: Sonntag, 29. November 2026 21:38\nAn: Ada\nBetreff: Theo wrote to you\n\n{HISTORY}"
    ),
    "outlook_original": (
        f"-----Original Message-----\nFrom: Porchlight <{ADDRESS}>\nSent: Sunday\nTo: Ada\n\n{HISTORY}"
    ),
    "yahoo": f"    On Sunday, November 29, 2026, Porchlight <{ADDRESS}> wrote:  \n \n {HISTORY}",
    "signature": f"-- \nAda Byron\n+1 555 0100\n\nOn Sunday, Porchlight <{ADDRESS}> wrote:\n{QUOTED}",
    "none": "",
    "without_mark": "On Sunday, Porchlight wrote:\n> Does Tuesday work?\n",
}


@pytest.mark.parametrize("program", HISTORIES)
def test_new_words_of_mail_program_returns_the_reply(program: str) -> None:
    assert new_words(f"Yes!\r\n\r\nSee you.\r\n\r\n{HISTORIES[program]}", MARKS) == "Yes!\n\nSee you."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # What looks like history is the person's own text: no mark, no quote at the end.
        (
            "From: the station, 5 min.\nTo: buy milk\nSubject: none\n",
            "From: the station, 5 min.\nTo: buy milk\nSubject: none",
        ),
        ("They said:\n> keep it cold\nI agree.\n", "They said:\n> keep it cold\nI agree."),
        ("- bread\n- milk\n\n--\nthanks\n", "- bread\n- milk"),
        ("Price list:\n-----\nsoup: 3\n", "Price list:\n-----\nsoup: 3"),
        ("I have an Android phone.\n", "I have an Android phone."),
        ("", ""),
        (QUOTED, ""),
    ],
)
def test_new_words_of_own_text_keeps_it(text: str, words: str) -> None:
    assert new_words(text, MARKS) == words


def test_new_words_between_quotes_keeps_the_answers() -> None:
    text = (
        f"Hi Theo,\n\nOn 11/29/26, <{ADDRESS}> wrote:\n> Does Tuesday work?\nIt does.\n> And Friday?\nNo.\n> {LINK}\n"
    )

    assert new_words(text, MARKS) == "Hi Theo,\n\nIt does.\nNo."


def test_new_words_with_an_own_quote_keeps_it() -> None:
    text = f"They said:\n> keep it cold\nI agree.\n\nOn 11/29/26, Porchlight wrote:\n{QUOTED}"

    assert new_words(text, MARKS) == "They said:\n> keep it cold\nI agree."


def test_new_words_of_html_reply_cuts_the_quote() -> None:
    source = (
        "<html><head><style>p{}</style></head><body><div>Yes &amp; thanks!</div><div><br></div>"
        f'<div>On Sunday, Porchlight &lt;{ADDRESS}&gt; wrote:<br></div><blockquote type="cite"><p>Does Tuesday'
        f' work?</p><a href="{LINK}">{LINK}</a></blockquote></body></html>'
    )

    assert new_words(plain_text(source), MARKS) == "Yes & thanks!"


@pytest.mark.parametrize(
    "source", ["", "<", "<!-- ", "<p>a<p>b", "\x00", "<blockquote>", "<svg><script>x</script></svg>"]
)
def test_plain_text_of_broken_html_raises_nothing(source: str) -> None:
    assert isinstance(plain_text(source), str)


@given(st.text(alphabet="ab:>-\n _<@", max_size=200))
def test_new_words_of_any_text_never_grow(text: str) -> None:
    words = new_words(text, MARKS)

    assert len(words) <= len(text)
    assert new_words(f"{text}\n\n{ADDRESS}", MARKS) is not None
