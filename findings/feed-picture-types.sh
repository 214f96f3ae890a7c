#!/usr/bin/env bash
# feed 6.0.0 (npm) makes up the type of a picture from the end of its address: "image//picture" in Atom, "image/jpg" for JPEG.
#
# The type that was given with the picture is used in RSS and ignored in Atom. Without an ending in the address, the last part
# of the path stands in its place. RFC 6838, section 4.2: no type has a second slash, and the registered name is image/jpeg.
# The script fails when the Atom feed has the type that was given.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts feed@6.0.0
cat > write.mjs <<'END'
import { Feed } from "feed";

const feed = new Feed({ id: "https://example.com/", link: "https://example.com/", title: "Bread", copyright: "" });
const item = { title: "Crust", link: "https://example.com/crust", date: new Date("2026-11-28T10:00:00Z") };
feed.addItem({ ...item, image: { url: "https://example.com/picture", type: "image/png", length: 5 } });
feed.addItem({ ...item, image: "https://example.com/crust.jpg" });
const types = (text) => [...text.matchAll(/(?:enclosure)[^>]* type="([^"]+)"/g)].map((match) => match[1]).join(" ");
console.log(types(feed.rss2()), "|", types(feed.atom1()));
END
found=$(node write.mjs)
printf 'RSS | Atom: %s\n' "$found"
[ "$found" = "image/png image/jpg | image//picture image/jpg" ] || { echo changed; exit 1; }
