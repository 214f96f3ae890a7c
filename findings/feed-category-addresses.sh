#!/usr/bin/env bash
# feed 6.0.0 (npm) writes the address of an RSS category without escaping: an "&" in it makes the feed unreadable.
#
# XML 1.0, section 2.4: "&" in an attribute is written &amp;, as feed does everywhere else, and for the same category in
# Atom. rss-parser 3.13.0 refuses the RSS feed. The script fails when the address is escaped.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts feed@6.0.0 rss-parser@3.13.0
cat > write.mjs <<'END'
import { Feed } from "feed";
import Parser from "rss-parser";

const feed = new Feed({ id: "https://example.com/", link: "https://example.com/", title: "Bread", copyright: "" });
const address = "https://example.com/posts?tag=rye&page=1";
feed.addItem({
  title: "Crust",
  link: "https://example.com/crust?a=1&b=2",
  date: new Date("2026-11-28T10:00:00Z"),
  category: [{ name: "Rye & oats", domain: address, scheme: address, term: "rye" }],
});
const read = (text) => new Parser().parseString(text).then(() => "read", (error) => error.message.split("\n")[0]);
console.log([await read(feed.atom1()), await read(feed.rss2())].join(" | "));
END
found=$(node write.mjs)
printf 'Atom | RSS: %s\n' "$found"
[ "$found" = "read | Invalid character in entity name" ] || { echo changed; exit 1; }
