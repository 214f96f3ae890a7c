#!/usr/bin/env bash
# mailparser 3.14.2 adds a closing bracket to an In-Reply-To that has a comment, so the answer belongs to no message.
#
# RFC 5322, section 3.6.4: a comment may follow a message id, and some programs write one. Seen for "<1@example.com> (Ann)":
# inReplyTo is "<1@example.com> (Ann)>". References with several ids are read as a list. Look for the part in brackets.
# The script fails when inReplyTo is the id.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts mailparser@3.14.2
cat > read.mjs <<'END'
import { simpleParser } from "mailparser";

const mail = await simpleParser("From: ann@example.com\r\nIn-Reply-To: <1@example.com> (Ann)\r\n\r\nYes\r\n");
console.log(mail.inReplyTo);
END
found=$(node read.mjs)
printf 'inReplyTo: %s\n' "$found"
[ "$found" = "<1@example.com> (Ann)>" ] || { echo changed; exit 1; }
