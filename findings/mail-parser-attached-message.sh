#!/usr/bin/env bash
# mail-parser 4.8.0 (Python) returns the text of an attached message as the text of the mail itself.
#
# A mail with an empty or short body and a forwarded message (message/rfc822) has two texts in text_plain and no attachment.
# Python's email package lists the inner message as an attachment. A program that stores the text as an answer stores the old mail.
# The script fails when the inner text is no longer among the mail's own.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv env
env/bin/pip install --quiet mail-parser==4.8.0
env/bin/python - <<'PYTHON'
import email
import email.policy
import sys
import mailparser

text = (
    "From: Ann <ann@example.com>\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    "--b\r\nContent-Type: text/plain\r\n\r\nSee below\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"
    "From: Bo <bo@example.com>\r\nSubject: Plan\r\n\r\nOld words\r\n--b--\r\n"
)
mail = mailparser.parse_from_string(text)
right = email.message_from_string(text, policy=email.policy.default)
kinds = [part.get_content_type() for part in right.iter_attachments()]
print(mail.text_plain, mail.attachments, kinds)
if (mail.text_plain, mail.attachments, kinds) != (["See below", "Old words"], [], ["message/rfc822"]):
    sys.exit("changed")
PYTHON
