"""The rules of the style sheet that a page has in its HTML."""

from __future__ import annotations

import re

import pytest

from sites.rendering.styles import StyleSheet
from sites.rendering.templates import GuruWeb
from sites.theme.palette import css
from tests.sites.rendering.page_props import CONTENT_PATHS, Guru, typical_guru

HTML = '<main class="page wide"><p class="intro">class="quoted"</p></main>'


def used(sheet: str, html: str = HTML, *, has_theme: bool = False) -> str:
    """Return the rules that a page has."""
    return StyleSheet(sheet).used_by(html, has_theme=has_theme)


@pytest.mark.parametrize(
    "rule",
    [
        "p{margin:0}",
        ".page.wide>.intro:first-child{margin:0}",
        ".page:not(.narrow) :is(.intro,.outro){margin:0}",
        ".page:has(.form:not(.sent)){margin:0}",
        "@media print{.page{margin:0}}",
        "@container (max-width: 14rem){.intro{margin:0}}",
        "@font-face{font-family:Fig}",
    ],
)
def test_rule_for_classes_of_page_is_kept(rule: str) -> None:
    assert used(rule) == rule


@pytest.mark.parametrize(
    "rule", [".form{margin:0}", ".page .form{margin:0}", ".page.narrow{margin:0}", "@media print{.form{margin:0}}"]
)
def test_rule_for_other_classes_is_left_out(rule: str) -> None:
    assert used(rule + ".page{margin:0}") == ".page{margin:0}"


def test_list_keeps_the_selectors_of_page() -> None:
    assert used(".form,.page:is(.wide,.form),.intro a{margin:0}") == ".page:is(.wide,.form),.intro a{margin:0}"


def test_rules_keep_their_order() -> None:
    sheet = ".intro{top:0}@media print{.page{top:1px}.form{top:2px}.intro{top:3px}}.page{top:4px}"
    assert used(sheet) == sheet.replace(".form{top:2px}", "")


def test_theme_takes_the_place_of_defaults() -> None:
    sheet = ":where(:root){--bg:red}:root{--gap:1rem}"
    assert used(sheet) == sheet
    assert used(sheet, has_theme=True) == ":root{--gap:1rem}"


@pytest.mark.parametrize("path", CONTENT_PATHS)
async def test_page_has_a_part_of_the_sheet(web: GuruWeb, path: str) -> None:
    page = Guru(typical_guru(), "https://cooking.example.org", "https://example.org").page(path)
    assert page is not None
    name, props, query = page
    palette = css("#f97316", "#facc15", "dusk")
    html = (await web.page(name, props, query=query, palette_css=palette, typeface="warm")).html.decode()
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.S)
    sheet = next((web.out_dir / "_next" / "static" / "css").glob("*.css")).read_text(encoding="utf-8")
    own = style.removesuffix(web.typefaces["warm"] + palette)
    assert ".site-header{" in own
    assert ".lightbox{" not in own
    assert len(own) < 0.7 * len(sheet)
