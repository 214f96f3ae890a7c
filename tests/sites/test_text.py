"""Markdown, excerpts, reading times, cursors, money and ids, with many inputs."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sites.posts.html_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS
from sites.posts.markdown import (
    excerpt,
    first_upload,
    plain_text,
    read_time,
    render,
    word_count,
)
from tenants.kit.ids import new_id, parse_id
from tenants.kit.money import format_cents, to_dollars
from tenants.kit.pagination import decode_cursor, encode_cursor

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
    """Asserts that HTML has only allowed elements, attributes and URLs."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED_TAGS, tag
        for name, value in attrs:
            assert name in ALLOWED_ATTRIBUTES.get(tag, set()) or (tag, name) == ("a", "rel"), (tag, name)
            if name == "href":
                assert re.match(r"(?i)(https?:|mailto:|tel:|/|#|\?|[^:]*$)", value or ""), value
                assert "script:" not in (value or "").lower().replace("\n", "")
            if name == "src":
                assert re.match(r"https://|/(?!/)", value or ""), value
        if tag == "a" and any(name == "href" for name, _ in attrs):
            assert dict(attrs).get("rel") == "nofollow ugc noopener"

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"a processing instruction: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"an unknown declaration: {data}")


def _check(html: str) -> None:
    checker = _Checker(convert_charrefs=True)
    checker.feed(html)
    checker.close()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markdown_with_script_is_sanitized(payload: str) -> None:
    for text in (payload, f"words {payload} words", f"# {payload}\n\n{payload}\n\n- {payload}\n\n> {payload}"):
        _check(render(text))


@given(st.lists(st.sampled_from([*PAYLOADS, "\n", "\n\n", " ", "*", "`", "[", "](", ")", "<", ">", "&#60;", '"', "'"])))
def test_markdown_of_combined_payloads_is_sanitized(pieces: list[str]) -> None:
    _check(render("".join(pieces)))


@given(st.text())
def test_markdown_accepts_any_text(text: str) -> None:
    _check(render(text))
    short = excerpt(text)
    assert len(short) <= 150
    assert "\n" not in short
    assert word_count(text) == len(plain_text(text).split())


def test_markdown_renders_allowed_elements() -> None:
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
    ("markdown", "text"),
    [
        ("# A\n\nB", "A B"),
        ("a\nb", "a b"),
        ("- a\n- b", "a b"),
        ("**a** _b_", "a b"),
        ("a<b>c</b>", "ac"),
        ("Dear <name>, 1 < 2", "Dear <name>, 1 < 2"),
        ("<div>One</div><div>Two</div>", "One Two"),
        ("fish & chips", "fish & chips"),
        ("&amp;lt;", "&lt;"),
        ("a  \nb", "a b"),
        ("|a|b|\n|-|-|\n|c|d|", "a b c d"),
        ("", ""),
    ],
)
def test_plain_text_removes_markup(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text


def test_excerpt_is_first_150_characters() -> None:
    """SPEC 5."""
    assert excerpt("**" + "x" * 200 + "**") == "x" * 150
    assert excerpt("a " * 200) == ("a " * 75).strip()
    assert excerpt("short") == "short"


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# Bread\n\nRye **and** [salt](https://x.example).", "Rye and salt."),
        ("Bread\n=====\n\n![A loaf](/images/x.webp)\n\n- One\n- Two", "One Two"),
        ("> ## Quoted\n> words\n\n```\ncode\n```\n\n|a|\n|-|\n|b|\n\n---\nend", "words end"),
        ("## Only a heading", "Only a heading"),
    ],
)
def test_excerpt_leaves_out_headings_and_markup(markdown: str, text: str) -> None:
    assert excerpt(markdown) == text


def test_first_upload_is_the_guru_own_picture() -> None:
    image_id = UUID("0192f0c5-0000-7000-8000-000000000001")
    own = f"![The *dark* “loaf” ](/images/{image_id}.webp)"
    assert first_upload(f"# Bread\n\n![far](https://x.example/images/{image_id}.webp)\n\n{own}") == (
        image_id,
        "The dark “loaf”",
    )
    for text in ("", "Words", f"`{own}`", f"![x](/images/{image_id}.png)", f"[x](/images/{image_id}.webp)"):
        assert first_upload(text) is None


@pytest.mark.parametrize(
    ("words", "expected"),
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
def test_read_time_is_200_words_per_minute_rounded_up(words: int, expected: str) -> None:
    """SPEC 5."""
    assert read_time(words) == expected


moments = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)).map(  # noqa: DTZ001
    lambda moment: moment.replace(tzinfo=UTC)
)


@given(moments, st.uuids())
def test_cursor_round_trip_keeps_time_and_id(moment: datetime, post: UUID) -> None:
    text = encode_cursor(moment, post)
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", text)
    assert decode_cursor(text) == (moment, post)


@given(
    st.text(max_size=40)
    | st.from_regex(r"[A-Za-z0-9_-]{32}", fullmatch=True)
    | st.binary(max_size=40).map(lambda b: b.decode("latin-1"))
)
def test_decode_cursor_accepts_any_text(text: str) -> None:
    decoded = decode_cursor(text)
    if decoded is not None:
        assert encode_cursor(*decoded) == text


@given(st.datetimes(min_value=datetime(1900, 1, 1), timezones=st.timezones()))  # noqa: DTZ001
def test_cursor_is_independent_of_time_zone(moment: datetime) -> None:
    post = new_id()
    decoded = decode_cursor(encode_cursor(moment, post))
    assert decoded is not None
    assert abs(decoded[0] - moment.astimezone(UTC)) < timedelta(microseconds=1)


@given(st.integers(0, 10**15))
def test_money_formats_keep_every_cent(cents: int) -> None:
    assert round(to_dollars(cents) * 100) == cents or cents > 10**14
    assert int(re.sub(r"[$,.]", "", format_cents(cents))) == cents


@pytest.mark.parametrize(
    ("cents", "dollars", "text"),
    [(7500, 75, "$75.00"), (1999, 19.99, "$19.99"), (0, 0, "$0.00"), (123456789, 1234567.89, "$1,234,567.89")],
)
def test_money_formats_match_spec(cents: int, dollars: float, text: str) -> None:
    assert to_dollars(cents) == dollars
    assert isinstance(to_dollars(7500), int)
    assert format_cents(cents) == text
    assert format_cents(-cents - 1).startswith("-$")


def test_new_ids_are_sorted_and_parse_back() -> None:
    ids = [new_id() for _ in range(1000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 1000
    assert all(each.version == 7 and parse_id(str(each)) == each for each in ids)
    one = str(ids[0])
    assert parse_id(one.upper()) == ids[0]
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
