import { expect, test } from "vitest";

import { escapeJsonForScript } from "../components/layout/site-head";
import { headHtml } from "./head-html";

test("headHtml escapes attributes and text", () => {
  expect(
    headHtml([
      <meta key="a" charSet="utf-8" />,
      <title key="b">{'</title> & "more"\0'}</title>,
      <link key="c" rel="canonical" href={'https://example.org/?a=1&b="2"<3>'} hrefLang="en" />,
    ]),
  ).toBe(
    '<meta charset="utf-8" data-next-head="">' +
      '<title data-next-head="">&lt;/title&gt; &amp; &quot;more&quot;</title>' +
      '<link rel="canonical" href="https://example.org/?a=1&amp;b=&quot;2&quot;&lt;3&gt;" hreflang="en" data-next-head="">',
  );
});

test("escaped JSON cannot close its script element", () => {
  const data = { name: "</script><script>\u2028\u2029" };
  const json = escapeJsonForScript(data);
  expect(json).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual(data);
});
