#!/usr/bin/env bash
# feedgen 1.0.0 writes an entry's enclosure into Atom as a second link to the page: without rel, type and length.
#
# RFC 4287, section 4.2.7.2: a link without rel is "alternate". So readers take the picture for the address of the post:
# feedparser 6.0.14 returns it as the entry's link. In RSS, the same feed has a right enclosure, but the channel's link
# is the last one that was added, here the feed itself. The script fails when feedgen writes rel="enclosure".
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv env
env/bin/pip install --quiet feedgen==1.0.0 feedparser==6.0.14
env/bin/python - <<'PYTHON'
import sys
import feedparser
from feedgen.feed import FeedGenerator

feed = FeedGenerator()
feed.id("https://example.com/")
feed.title("Bread")
feed.description("Bread")
feed.link(href="https://example.com/", rel="alternate")
feed.link(href="https://example.com/feed.xml", rel="self")
entry = feed.add_entry()
entry.id("https://example.com/post")
entry.title("Crust")
entry.link(href="https://example.com/post")
entry.enclosure("https://example.com/crust.jpg", "1234", "image/jpeg")
atom, rss = feedparser.parse(feed.atom_str()), feedparser.parse(feed.rss_str())
print("Atom entry:", atom.entries[0].link, [link.rel for link in atom.entries[0].links])
print("RSS channel:", rss.feed.link, "entry:", rss.entries[0].link)
if atom.entries[0].link != "https://example.com/crust.jpg" or rss.feed.link != "https://example.com/feed.xml":
    sys.exit("changed")
PYTHON
