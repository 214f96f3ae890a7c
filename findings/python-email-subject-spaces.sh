#!/usr/bin/env bash
# Python's email package (standard library, seen with 3.11.7) loses a space of a subject where it starts a new line.
#
# RFC 2047, section 6.2: readers drop the space between two encoded words, so the space has to be in one of them. With the
# policy for SMTP, the space before the word that begins the next line is in neither. It needs no package. Seen: the
# subject below reads "... Zoë中文" for every reader, Python's own included. The script fails when the space is kept.
set -euo pipefail
cd "$(mktemp -d)"
python3 - <<'PYTHON'
import sys
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP

subject = "New message from Zoë 中文 Zoë 中文 Zoë 中文"
message = EmailMessage(policy=SMTP)
message["Subject"] = subject
message.set_content("Hello\n")
read = str(message_from_bytes(message.as_bytes(), policy=SMTP)["Subject"])
print(f"Python {sys.version.split()[0]}\nwritten: {subject}\nread:    {read}")
if read == subject or read.replace(" ", "") != subject.replace(" ", ""):
    sys.exit("changed: the space is kept, or more is lost")
PYTHON
