"""The parts of built pages, and heads that are put into them."""

from __future__ import annotations

from porchlight.web.page_meta import Head, with_head
from porchlight.web.page_parts import page_parts

PAGE = """<!doctype html>
<html lang="en"><head>
<!-- <title>not this one</title> </head> -->
<meta content="Old &amp; known" name=description>
<title>Bread &amp;
salt</title>
<style>p::after { content: "</head>" }</style>
<script>const text = "\u2028<title>no</title>";
</script>
<script src="/app.js"></script></HEAD>
<body><svg><title>A picture</title></svg></body></html>
"""


def test_page_parts_are_found_as_browsers_find_them() -> None:
    parts = page_parts(PAGE)
    assert parts.title == "Bread &\nsalt"
    assert parts.inline == (
        ("style", 'p::after { content: "</head>" }'),
        ("script", 'const text = "\u2028<title>no</title>";\n'),
    )


def test_head_replaces_title_and_description_only() -> None:
    page = with_head(PAGE.encode(), Head('"Rye" <1>', r"\1 & more", '<link rel="canonical" href="/rye" />')).decode()
    assert page == PAGE.replace("<title>Bread &amp;\nsalt</title>", "<title>&quot;Rye&quot; &lt;1&gt;</title>").replace(
        '<meta content="Old &amp; known" name=description>',
        r'<meta name="description" content="\1 &amp; more" />',
    ).replace("</HEAD>", '<link rel="canonical" href="/rye" /></HEAD>')


def test_unknown_page_is_not_indexed() -> None:
    page = with_head(PAGE.encode(), None).decode()
    assert page == PAGE.replace("</HEAD>", '<meta name="robots" content="noindex" /></HEAD>')


def test_head_replaces_text_without_scripts_in_body() -> None:
    html = "<html><head><noscript><link href=a></noscript></head><body><noscript><p>Old</p></noscript></body></html>"
    page = with_head(html.encode(), Head("Held", "A time", "", no_script="<p>Ask</p>")).decode()
    assert page == html.replace("<p>Old</p>", '<div class="splash-noscript"><p>Ask</p></div>')
    assert with_head(html.encode(), Head("Held", "A time", "")).decode() == html
