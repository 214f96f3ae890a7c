#!/usr/bin/env bash
# Python's email package (standard library, seen with 3.11.7) writes quoted-printable lines of 78 characters.
#
# RFC 2045, section 6.7, rule 5: "lines of no more than 76 characters". set_content() takes the policy's max_line_length, by
# default 78, for them; the quopri module, which does the same work, keeps to 76. It needs no package. Seen: 78. The
# script fails when no line is longer than 76.
set -euo pipefail
cd "$(mktemp -d)"
python3 - <<'PYTHON'
import quopri
import sys
from email.message import EmailMessage
from email.policy import SMTP

text = "é" + "x" * 200 + "\n"
message = EmailMessage(policy=SMTP)
message.set_content(text, cte="quoted-printable")
longest = max(len(line) for line in message.as_bytes().split(b"\r\n"))
of_quopri = max(len(line) for line in quopri.encodestring(text.encode()).splitlines())
print(f"Python {sys.version.split()[0]}: longest line {longest}, of quopri {of_quopri}")
if longest <= 76 or of_quopri > 76:
    sys.exit("changed: the lines are no longer than 76")
PYTHON
