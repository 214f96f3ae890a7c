"""The look of emails and of tables in posts on a phone."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser

from tests.fixtures.browser import broken_words, excess_width
from tests.porchlight.emails.samples import Sample, render

STYLES = Path(__file__).resolve().parents[3] / "guru-web" / "src" / "components" / "styles"
ROWS = [
    ("When", "Wednesday, December 23, 2026, 10:30 AM to Thursday, December 24, 2026, 12:00 AM America/Denver"),
    ("Session 1", "Tuesday, December 1, 2026, 9:00 AM to 10:05 AM MST"),
    ("Where", "https://meet.example/" + "room" * 40),
    ("Guests", "Imani Okoye, Bartholomew Featherstonehaugh"),
    ("Price", "$160.00 for each session, $1,280.00 in total"),
    ("Spots", "2"),
]
TABLE = """
<table><thead><tr><th>Problem</th><th>Why it happens</th><th>What to do next time</th></tr></thead><tbody>
<tr><td>Tastes flat</td><td>Underfermented dough, or not enough salt</td><td>Refrigerate overnight</td></tr>
</tbody></table>
"""


async def test_booking_email_on_phone_keeps_labels_whole(browser: Browser) -> None:
    words = {"subject_text": "New booking", "lines": ["Ada booked."], "quote_label": "A note"}
    html = render(
        "porchlight.features.bookings.emails", "booking", Sample(words, {"rows": ROWS, "quote": "", "answers": []})
    ).html
    for width in (320, 360, 1280):
        page = await browser.new_page(viewport={"width": width, "height": 900})
        await page.set_content(html)
        assert await broken_words(page, "td.muted") == []
        assert await excess_width(page) == 0
        assert [word for word in await broken_words(page, ".card table td") if "room" not in word] == []
        await page.close()


async def test_post_table_on_phone_keeps_words_whole(browser: Browser) -> None:
    styles = "".join((STYLES / name).read_text() for name in ("base.css", "posts.css"))
    page = await browser.new_page(viewport={"width": 360, "height": 900})
    await page.set_content(
        f'<style>{styles}</style><main style="padding: 16px"><div class="prose">{TABLE}</div></main>'
    )
    assert await broken_words(page, ".prose table") == []
    assert await excess_width(page) == 0
    await page.close()
