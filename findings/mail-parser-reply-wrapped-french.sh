#!/usr/bin/env bash
# mail-parser-reply returns a French answer with the whole history below it when the line that introduces the history
# is wrapped, as mail programs wrap lines of more than about 78 characters.
#
# With mail-parser-reply 1.36 and languages=["fr"], the answer above "Le dim. 29 nov. 2026 ... a écrit :" is cut off
# correctly on one line. With the same words on two lines, "... a" and "écrit :", latest_reply is the whole email. The
# English and the German forms are found on two lines, too, so the length of the sender's name or address decides
# whether French replies are read correctly. The script fails when this changes.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check mail-parser-reply==1.36

venv/bin/python - > seen <<'END'
from mailparser_reply import EmailReplyParser

INTRODUCTIONS = {
    "fr, one line": "Le dim. 29 nov. 2026 à 21:38, Theo Barnes <theo@example.com> a écrit :",
    "fr, wrapped": "Le dim. 29 nov. 2026 à 21:38, Theodora Barnes <theodora@mail.example.com> a\nécrit :",
    "en, wrapped": "On Sun, Nov 29, 2026 at 9:38 PM Theodora Barnes <theodora@mail.example.com>\nwrote:",
    "de, wrapped": "Am So., 29. Nov. 2026 um 21:38 Uhr schrieb Theodora Barnes <\ntheodora@mail.example.com>:",
}
for name, introduction in INTRODUCTIONS.items():
    text = f"OK\n\n{introduction}\n\n> Hello\n"
    reply = EmailReplyParser(languages=[name[:2]]).read(text=text).latest_reply
    print(f"{name}: {len(reply.splitlines())} line(s), history {'kept' if '> Hello' in reply else 'cut'}")
END
cat seen
diff seen - <<'END'
fr, one line: 1 line(s), history cut
fr, wrapped: 6 line(s), history kept
en, wrapped: 1 line(s), history cut
de, wrapped: 1 line(s), history cut
END
echo "mail-parser-reply keeps the history of a French reply whose introduction is wrapped"
