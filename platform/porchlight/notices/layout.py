"""How every mail looks: plain text first, and HTML that reads as well without pictures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"


def plain(paragraphs: Sequence[str], *, link: tuple[str, str] | None = None, footer: str = "") -> str:
    """The plain part: paragraphs, then `link` as (words, address), then why this mail came."""
    parts = list(paragraphs)
    if link is not None:
        parts.append(f"{link[0]}:\n{link[1]}")
    if footer:
        parts.append(f"-- \n{footer}")
    return "\n\n".join(parts) + "\n"


def html(title: str, paragraphs: Sequence[str], *, link: tuple[str, str] | None = None, footer: str = "") -> str:
    """The HTML part of the same mail. Everything given is text and is escaped; line breaks stay."""
    body = "".join(
        f'<p style="margin:0 0 16px;white-space:pre-line">{escape(paragraph)}</p>' for paragraph in paragraphs
    )
    if link is not None:
        words, address = escape(link[0]), escape(link[1], quote=True)
        body += (
            f'<p style="margin:24px 0"><a href="{address}" style="display:inline-block;padding:12px 24px;'
            f'border-radius:10px;background:#15803d;color:#ffffff;font-weight:600;text-decoration:none">{words}</a></p>'
            f'<p style="margin:0 0 16px;color:#4b5563;font-size:14px">Or open this address: '
            f'<a href="{address}" style="color:#15803d;word-break:break-all">{address}</a></p>'
        )
    small = f'<p style="margin:24px 0 0;color:#4b5563;font-size:14px">{escape(footer)}</p>' if footer else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title></head>"
        f'<body style="margin:0;padding:24px;background:#f3f4f6;color:#111827;{_FONT};font-size:16px;line-height:1.5">'
        '<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:16px">'
        '<p style="margin:0 0 24px;font-weight:700;color:#15803d">Porchlight</p>'
        f'<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">{escape(title)}</h1>{body}{small}'
        "</div></body></html>"
    )
