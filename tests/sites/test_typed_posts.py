"""A post shows what was typed or pasted, or its editor says what it does not show."""

from __future__ import annotations

import pytest

from sites.posts.markdown import excerpt, first_upload, render
from sites.posts.omissions import MAX_OMISSIONS, omissions

REL = 'rel="nofollow ugc noopener"'


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("See https://a.example/b_(c).", f'<a href="https://a.example/b_(c)" {REL}>https://a.example/b_(c)</a>.'),
        ("See www.a.example!", f'<a href="http://www.a.example" {REL}>www.a.example</a>!'),
        ("Write to rosa@a.example.", f'<a href="mailto:rosa@a.example" {REL}>rosa@a.example</a>.'),
        ("[shop](www.a.example/x)", f'<a href="https://www.a.example/x" {REL}>shop</a>'),
        ("[shop](a.example?x=1)", f'<a href="https://a.example?x=1" {REL}>shop</a>'),
        ("[shop](//a.example)", f'<a href="https://a.example" {REL}>shop</a>'),
        ("[mail](rosa@a.example)", f'<a href="mailto:rosa@a.example" {REL}>mail</a>'),
        ("[call](<(303) 555-0100>)", f'<a href="tel:3035550100" {REL}>call</a>'),
        ("[call](+49.30.1234567)", f'<a href="tel:+49301234567" {REL}>call</a>'),
        ("[call](555-0100)", f'<a href="tel:5550100" {REL}>call</a>'),
        ("[router](192.168.1.1)", f'<a href="https://192.168.1.1" {REL}>router</a>'),
        ("[router](10.0.0.138/admin)", f'<a href="https://10.0.0.138/admin" {REL}>router</a>'),
        ("[day](2026-12-05)", f'<a href="2026-12-05" {REL}>day</a>'),
        ("[day](5.12.2026)", f'<a href="5.12.2026" {REL}>day</a>'),
        ("[day](12-05-26)", f'<a href="12-05-26" {REL}>day</a>'),
        ("[years](2019-2024)", f'<a href="2019-2024" {REL}>years</a>'),
        ("[part](1.2.3)", f'<a href="1.2.3" {REL}>part</a>'),
        ("[text](sms:+13035550100)", f'<a href="sms:+13035550100" {REL}>text</a>'),
        ("[page](/services#prices)", f'<a href="/services#prices" {REL}>page</a>'),
        ("##### Five\n\n###### Six", "<h5>Five</h5>\n<h6>Six</h6>"),
        ("- [ ] flour\n- [x] salt", "<li>☐ flour</li>\n<li>☑ salt</li>"),
        ("|a|b|\n|:-:|-:|\n|1|2|", '<td align="center">1</td>\n<td align="right">2</td>'),
        ("Rye[^1]\n\n[^1]: A grain.", f'<sup><a href="#fn1" id="fnref1" {REL}>[1]</a></sup>'),
        ("Rye[^1]\n\n[^1]: A grain.", f'<li id="fn1"><p>A grain. <a href="#fnref1" {REL}>'),
        ("one\ntwo", "one<br>\ntwo"),
        ("a (c) -- b... +-", "a (c) -- b... +-"),
        ("![x](http://a.example/x.png)", '<img src="https://a.example/x.png" alt="x" '),
        ("![x](//a.example/x.png)", '<img src="https://a.example/x.png" alt="x" '),
        ("![My cat](cat.png)", "<p>My cat</p>"),
        ("<b>bold</b> <u>under</u> H<sub>2</sub>O", "<b>bold</b> <u>under</u> H<sub>2</sub>O"),
        ("<h1>Big</h1><center>mid</center>", "<h2>Big</h2><div>mid</div>"),
        ("<p style='color:red' onclick=x>red</p>", "<p>red</p>"),
        ("Dear <name>, I <3 5 < 6", "Dear &lt;name&gt;, I &lt;3 5 &lt; 6"),
        ("<li-one>\n\n<Your Name>", "<p>&lt;li-one&gt;\n</p>\n<p>&lt;Your Name&gt;</p>"),
    ],
)
def test_render_shows_what_is_typed(markdown: str, shown: str) -> None:
    assert shown in render(markdown)


@pytest.mark.parametrize("identifier", ["__NEXT_DATA__", "__next"])
def test_typed_heading_id_of_framework_is_left_out(identifier: str) -> None:
    assert render(f'<h2 id="{identifier}">{{}}</h2>') == "<h2>{}</h2>"


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("<iframe src='https://v.example'></iframe>", "Embedded content (<iframe>)"),
        ("<form><input></form>", "Forms and buttons"),
        ("<script>x</script>", "<script> isn't shown"),
        ("<font color='red'>x</font>", "your site's design sets them"),
        ("<p style='color:red'>x</p>", "your site's design sets them"),
        ("![x](http://a.example/x.png)", "“http://a.example/x.png” is loaded over https"),
        ("![x](my cat.png)![x](cat.png)", "“cat.png” isn't shown"),
        ("![x](data:image/png;base64,AAAA)", "in the text itself isn't shown"),
        ("[x](ftp://a.example)", "“ftp://a.example” can't be opened"),
        ("[x](about)", "“about” isn't a complete address"),
        ("[words](https://)", "A link has no address yet"),
        ("words\n\n[^1]: note", "[^1]: … isn't shown"),
        ("[Update]: Moved", "[UPDATE]: … isn't shown"),
        ("a <!-- later --> b", "Comments between"),
    ],
)
def test_omissions_name_what_is_not_shown(markdown: str, words: str) -> None:
    found = omissions(markdown)
    assert len(found) == 1
    assert words in found[0]


@pytest.mark.parametrize(
    "markdown",
    [
        "",
        "# A\n\nwords **b** [x](https://a.example) ![p](/images/x.webp) [y](/blog) [z](#top) [w](www.a.example)",
        "Rye[^1] [a][b] [c]\n\n[^1]: note\n\n[b]: https://a.example\n[c]: https://a.example",
        "|a|\n|-:|\n|1|",
        "`<iframe>` Dear <name>",
        "<div><b>x</b></div>",
    ],
)
def test_omissions_of_a_text_shown_whole_are_none(markdown: str) -> None:
    assert omissions(markdown) == []


def test_omissions_are_limited() -> None:
    assert len(omissions("".join(f"![x](cat{number}.png)" for number in range(99)))) == MAX_OMISSIONS


def test_excerpt_leaves_out_notes() -> None:
    assert excerpt("Rye[^1] bread.\n\n[^1]: A grain.") == "Rye bread."


def test_first_upload_may_be_pasted_html() -> None:
    path = "/images/0192f0c5-0000-7000-8000-000000000001.webp"
    found = first_upload(f"<figure><img src='{path}' alt='A loaf'></figure>")
    assert found is not None
    assert found[1] == "A loaf"
