#!/usr/bin/env bash
# postal-mime 4.0.0 leaves the quote mark of the second line inside a joined line of a flowed reply.
#
# RFC 3676, section 4.5: quote marks are taken off before flowed lines are joined. Seen: "> See you " and "> on Tuesday"
# become "> See you > on Tuesday", so a filter that cuts quoted lines keeps a mark inside a line. mailparser 3.14.2 returns
# "> See you on Tuesday". The script fails when postal-mime does, too.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts postal-mime@4.0.0 mailparser@3.14.2
cat > read.mjs <<'END'
import { simpleParser } from "mailparser";
import PostalMime from "postal-mime";

const text =
  "From: Ann <ann@example.com>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n" +
  "> See you \r\n> on Tuesday\r\nYes\r\n";
const [one, two] = [await PostalMime.parse(text), await simpleParser(text)];
console.log([one, two].map((mail) => mail.text.split("\n")[0].trimEnd()).join(" | "));
END
found=$(node read.mjs)
printf 'postal-mime | mailparser: %s\n' "$found"
[ "$found" = "> See you > on Tuesday | > See you on Tuesday" ] || { echo changed; exit 1; }
