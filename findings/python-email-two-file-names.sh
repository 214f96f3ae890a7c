#!/usr/bin/env bash
# Python's email package (3.11) takes the first of an attachment's two names: the ASCII one, although the full one follows.
#
# A name as filename*=UTF-8''Zo%C3%AB.pdf is often sent behind a plain filename for old programs, and RFC 6266 prefers the
# former in any order. get_filename() returns "Zo.pdf", under policy.default too; postal-mime 4.0.0 and mailparser 3.14.2
# return "Zoë.pdf". The script fails when Python does, too.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts postal-mime@4.0.0 mailparser@3.14.2
cat > write.py <<'END'
import email
import email.policy

text = (
    "From: Ann <ann@example.com>\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf\r\n"
    "Content-Disposition: attachment; filename=\"Zo.pdf\"; filename*=UTF-8''Zo%C3%AB.pdf\r\n\r\nx\r\n"
)
open("plan.eml", "w", newline="").write(text)
print(email.message_from_string(text, policy=email.policy.default).get_filename())
END
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import { simpleParser } from "mailparser";
import PostalMime from "postal-mime";

const text = readFileSync("plan.eml");
const [one, two] = [await PostalMime.parse(text), await simpleParser(text)];
console.log(one.attachments[0].filename, two.attachments[0].filename);
END
found="$(python3 write.py) $(node read.mjs)"
printf 'Python, postal-mime, mailparser: %s\n' "$found"
[ "$found" = "Zo.pdf Zoë.pdf Zoë.pdf" ] || { echo changed; exit 1; }
