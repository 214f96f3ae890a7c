"""The mails about swap rings: asked, agreed, or come to nothing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.notices import layout
from porchlight.notices.mail import Letter

_MEMBERS = """
SELECT r.state, m.user_id, u.email, p.display_name, m.teaches FROM swap_rings r
  JOIN swap_ring_members m ON m.ring_id = r.id JOIN users u ON u.user_id = m.user_id
  JOIN profiles p ON p.user_id = m.user_id WHERE r.id = %s AND u.status = 'active' ORDER BY m.place
"""
_SUBJECTS = {
    "proposed": "A swap ring for you: teach one, learn one",
    "agreed": "Your swap ring is on",
    "declined": "Your swap ring did not come together",
}


def letters_about_ring(conn: psycopg.Connection[Any], ring_id: UUID, main_origin: str) -> list[Letter]:
    """A mail to each of the three as the ring stands now; none when one of them is gone."""
    rows = conn.execute(_MEMBERS, [ring_id]).fetchall()
    if len(rows) != 3 or rows[0][0] not in _SUBJECTS:
        return []
    made: list[Letter] = []
    for at, (state, user_id, email, name, teaches) in enumerate(rows):
        if not email:
            continue
        pupil, teacher = rows[(at + 1) % 3], rows[(at + 2) % 3]
        paragraphs = [f"Hello {name or 'neighbor'},"]
        round_trip = f"You teach {pupil[3]} {teaches}, and {teacher[3]} teaches you {teacher[4]}."
        if state == "proposed":
            paragraphs += [f"Three neighbors fit together. {round_trip}", "It starts once all three accept."]
        elif state == "agreed":
            paragraphs += [f"All three accepted. {round_trip}", "Say hello and pick a time."]
        else:
            paragraphs += ["One of the three cannot take part this time. We keep looking."]
        link = ("See your swap rings", f"{main_origin}/skills?tab=ai-coach")
        footer = "You get this because your profile says what you teach and what you want to learn."
        subject = _SUBJECTS[state]
        made.append(
            Letter(
                key=f"ring-{ring_id}-{state}-{user_id}",
                recipient=email,
                subject=subject,
                plain=layout.plain(paragraphs, link=link, footer=footer),
                html=layout.html(subject, paragraphs, link=link, footer=footer),
            )
        )
    return made
