"""Markdown to safe HTML, excerpts, reading times, cursors, money, ids: small rules, many inputs."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sites import cursor
from sites.posts.markdown import ATTRIBUTES, TAGS, excerpt, plain, read_time, render, word_count
from tenants.kit.ids import new_id, parse_id
from tenants.kit.money import dollars, shown

PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:x)",
    "[x](<javascript:alert(1)>)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "![x](//evil.example/x.png)",
    "![x](http://evil.example/x)",
    '![x" onerror="alert(1)](https://ok.example/x.png)',
    '[x](https://ok.example "t\\" onclick=alert(1) x=\\"")',
    "[a]: javascript:alert(1)\n\n[x][a]",
    "<a href='javascript:alert(1)'>x</a>",
    "<iframe src=//evil.example></iframe>",
    "<style>body{background:url(javascript:alert(1))}</style>",
    "<div style='background:url(x)'>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<form action=//evil.example><input name=x>",
    "<math><mi//xlink:href=x>",
    '```x" onclick=alert(1)\ncode\n```',
    "```<script>\ncode\n```",
    "`<script>alert(1)</script>`",
    "<!--><script>alert(1)//-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "# <script>alert(1)</script>",
    '## x" onmouseover="alert(1)',
    "|<script>|\n|-|\n|<img src=x onerror=1>|",
    "\u202e<script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\0<script>\0alert(1)</script>",
    "<scr\0ipt>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "~~<script>~~",
    "> <script>\n> alert(1)",
    "- <script>",
    "<p><a\nhref=javascript:x>y",
    "<x onclick=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=1>'>",
]


class _Checker(HTMLParser):
    """Fails on anything but the elements, attributes and addresses a post may have."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES.get(tag, set()) or (tag, name) == ("a", "rel"), (tag, name)
            if name == "href":
                assert re.match(r"(?i)(https?:|mailto:|tel:|/|#|\?|[^:]*$)", value or ""), value
                assert "script:" not in (value or "").lower().replace("\n", "")
            if name == "src":
                assert re.match(r"https://|/(?!/)", value or ""), value
        if tag == "a" and any(name == "href" for name, _ in attrs):
            assert dict(attrs).get("rel") == "nofollow ugc noopener"

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    handle_decl = handle_comment
    handle_pi = handle_comment
    unknown_decl = handle_comment


def _check(html: str) -> None:
    checker = _Checker(convert_charrefs=True)
    checker.feed(html)
    checker.close()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_in_a_post_can_run(payload: str) -> None:
    for text in (payload, f"words {payload} words", f"# {payload}\n\n{payload}\n\n- {payload}\n\n> {payload}"):
        _check(render(text))


@given(st.lists(st.sampled_from([*PAYLOADS, "\n", "\n\n", " ", "*", "`", "[", "](", ")", "<", ">", "&#60;", '"', "'"])))
def test_nothing_put_together_of_such_pieces_can_run(pieces: list[str]) -> None:
    _check(render("".join(pieces)))


@given(st.text())
def test_any_text_can_be_a_post(text: str) -> None:
    _check(render(text))
    short = excerpt(text)
    assert len(short) <= 150
    assert "\n" not in short
    assert word_count(text) == len(plain(text).split())


def test_what_a_post_may_look_like() -> None:
    html = render(
        "# Title\n\n**bold** *it* ~~gone~~ `code` [x](https://ok.example) ![alt](https://ok.example/x.png)\n\n"
        "1. one\n\n|a|b|\n|-|-|\n|c|d|\n\n```python\nx < 1\n```\n"
    )
    for part in (
        "<h2>Title</h2>",
        "<strong>bold</strong>",
        "<em>it</em>",
        "<s>gone</s>",
        "<code>code</code>",
        "<ol>",
        '<a href="https://ok.example" rel="nofollow ugc noopener">x</a>',
        "<td>c</td>",
        '<code class="language-python">',
        "x &lt; 1",
        'loading="lazy"',
    ):
        assert part in html, part


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("# A\n\nB", "A B"),
        ("a\nb", "a b"),
        ("- a\n- b", "a b"),
        ("**a** _b_", "a b"),
        ("a<b>c</b>", "a<b>c</b>"),
        ("fish & chips", "fish & chips"),
        ("&amp;lt;", "&lt;"),
        ("a  \nb", "a b"),
        ("|a|b|\n|-|-|\n|c|d|", "a b c d"),
        ("", ""),
    ],
)
def test_the_words_of_a_post(markdown: str, words: str) -> None:
    assert plain(markdown) == words


def test_an_excerpt_is_the_first_150_characters_of_the_content() -> None:
    """SPEC 5."""
    assert excerpt("**" + "x" * 200 + "**") == "x" * 150
    assert excerpt("a " * 200) == ("a " * 75).strip()
    assert excerpt("short") == "short"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (0, "3 min read"),
        (1, "1 min read"),
        (199, "1 min read"),
        (200, "1 min read"),
        (201, "2 min read"),
        (1000, "5 min read"),
        (-5, "3 min read"),
    ],
)
def test_reading_takes_a_minute_for_200_words_rounded_up(words: int, said: str) -> None:
    """SPEC 5."""
    assert read_time(words) == said


moments = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)).map(  # noqa: DTZ001
    lambda moment: moment.replace(tzinfo=UTC)
)


@given(moments, st.uuids())
def test_a_cursor_comes_back_as_it_went(moment: datetime, post: UUID) -> None:
    text = cursor.encode(moment, post)
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", text)
    assert cursor.decode(text) == (moment, post)


@given(
    st.text(max_size=40)
    | st.from_regex(r"[A-Za-z0-9_-]{32}", fullmatch=True)
    | st.binary(max_size=40).map(lambda b: b.decode("latin-1"))
)
def test_no_text_breaks_a_cursor(text: str) -> None:
    found = cursor.decode(text)
    if found is not None:
        assert cursor.encode(*found) == text


@given(st.datetimes(min_value=datetime(1900, 1, 1), timezones=st.timezones()))  # noqa: DTZ001
def test_a_cursor_knows_no_time_zone(moment: datetime) -> None:
    post = new_id()
    decoded = cursor.decode(cursor.encode(moment, post))
    assert decoded is not None
    assert abs(decoded[0] - moment.astimezone(UTC)) < timedelta(microseconds=1)


@given(st.integers(0, 10**15))
def test_money_loses_no_cent(cents: int) -> None:
    assert round(dollars(cents) * 100) == cents or cents > 10**14
    assert int(re.sub(r"[$,.]", "", shown(cents))) == cents


@pytest.mark.parametrize(
    ("cents", "wire", "words"),
    [(7500, 75, "$75.00"), (1999, 19.99, "$19.99"), (0, 0, "$0.00"), (123456789, 1234567.89, "$1,234,567.89")],
)
def test_money_as_spec_shows_it(cents: int, wire: float, words: str) -> None:
    assert dollars(cents) == wire
    assert isinstance(dollars(7500), int)
    assert shown(cents) == words
    assert shown(-cents - 1).startswith("-$")


def test_ids_grow_and_read_back() -> None:
    made = [new_id() for _ in range(1000)]
    assert made == sorted(made)
    assert len(set(made)) == 1000
    assert all(each.version == 7 and parse_id(str(each)) == each for each in made)
    one = str(made[0])
    assert parse_id(one.upper()) == made[0]
    for text in (
        "",
        one[:-1],
        one + "0",
        "{" + one[1:-1] + "}",
        "0" * 36,
        one.replace("-", "") + "----",
        "٣" * 36,
        one[:-1] + "\0",
        "_" + one[1:],
    ):
        assert parse_id(text) is None, text
