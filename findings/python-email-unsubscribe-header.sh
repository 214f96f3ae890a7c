#!/usr/bin/env bash
# Python's email package (standard library, seen with 3.11.7) encodes a long URL in List-Unsubscribe.
#
# RFC 2369 and RFC 8058 want the URL between angle brackets, as it is. With the policy for SMTP, a URL that does not fit a
# line of 78 characters becomes RFC 2047 words, which are not allowed there: mail programs show no button. It needs no
# package. Seen: "List-Unsubscribe: =?utf-8?q?=3Chttps=3A//...". The script fails when the URL is left as it is.
set -euo pipefail
cd "$(mktemp -d)"
python3 - <<'PYTHON'
import sys
from email.message import EmailMessage
from email.policy import SMTP

url = "https://example.com/api/email-settings/019aeb3c-1111-7111-8111-111111111111/unsubscription"
message = EmailMessage(policy=SMTP)
message["List-Unsubscribe"] = f"<{url}>"
message.set_content("Hello\n")
header = message.as_bytes().partition(b"\r\n\r\n")[0].decode("ascii")
print(f"Python {sys.version.split()[0]}\n{header}")
if url in header or "=?utf-8?q?=3Chttps=3A//" not in header:
    sys.exit("changed: the URL is not encoded any more")
PYTHON
