import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown";

const DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span
style="font-weight:700;">Rye bread</span></h2><p dir="ltr"><span style="font-weight:400;">Mix </span><span
style="font-weight:700;">slowly</span><span style="font-style:italic;font-weight:400"> and wait</span><span
style="text-decoration:line-through"> an hour</span>. See <a href="https://www.google.com/url?q=https://a.example/x&amp;sa=D"
><span style="text-decoration:underline">this</span></a></p><ul><li dir="ltr"><p role="presentation"><span>flour</span></p></li><ul><li
dir="ltr"><p role="presentation"><span>dark</span></p></li></ul><li><p><span>salt</span></p></li></ul><ol><li><p>one</p></li><li><p>two</p></li></ol><div><table><tbody><tr><td><p>Problem</p></td><td><p>Cure</p></td></tr><tr><td><p>Flat</p><p>taste</p></td><td><p>Salt</p></td></tr></tbody></table></div><img
src="https://lh7-rt.googleusercontent.com/docsz/AD_x"></b>`;

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head>
<body><!--StartFragment--><h1>Rye<o:p></o:p></h1><p class=MsoNormal><b>Mix</b> <i>slowly</i>.<o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>flour<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span
style='mso-list:Ignore'>o<span>&nbsp; </span></span><![endif]>dark</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>salt</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>one</p>
<p class=MsoNormal>End <img src="file:///C:/x.png"></p><!--EndFragment--></body></html>`;

describe("htmlToMarkdown", () => {
  it("keeps the formatting of Google Docs", () => {
    expect(htmlToMarkdown(DOCS)).toEqual({
      markdown: `## Rye bread

Mix **slowly** *and wait* ~~an hour~~. See [this](https://a.example/x)

- flour
  - dark
- salt

1. one
2. two

| Problem | Cure |
| --- | --- |
| Flat taste | Salt |`,
      lostPictures: 1,
    });
  });

  it("keeps the formatting of Word", () => {
    expect(htmlToMarkdown(WORD)).toEqual({
      markdown: `# Rye

**Mix** *slowly*.

- flour
  - dark
- salt

1. one

End`,
      lostPictures: 1,
    });
  });

  it.each([
    ["<p>a</p><p>b<br>c</p>", "a\n\nb\nc"],
    ["<table><tr><td><p>one</p><p>two</p></td></tr></table>", "one\n\ntwo"],
    ['<img src="https://a.example/x.png" alt="x"> 2*3*4', "![x](https://a.example/x.png) 2\\*3\\*4"],
    ["<ul><li><input type=checkbox checked>done</li></ul>", "- [x] done"],
    ["H<sub>2</sub>O <script>x</script>", "H<sub>2</sub>O"],
    ["<pre><code>a\n b</code></pre>", "    a\n     b"],
  ])("converts %s", (html, markdown) => {
    expect(htmlToMarkdown(html).markdown).toBe(markdown);
  });
});
