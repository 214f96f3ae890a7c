"""Site addresses: proposed from a name, refused when reserved or made to look like something they are not. Pure."""

from __future__ import annotations

import re
import secrets
import unicodedata

from tenants.host import RESERVED_LABELS, label_refusal

PRODUCT = "porchlight"
LONGEST = 40  # characters of a proposal; by hand a label may have 63

# Names under which visitors would take a guru for the platform, its staff or somebody who takes their money.
_MISLEADING = RESERVED_LABELS | {
    "account", "accounts", "administrator", "assets", "auth", "billing", "cdn", "contact", "dashboard", "docs",
    "feedback", "help", "helpdesk", "internal", "login", "mail", "moderator", "official", "onboarding", "payment",
    "payments", "payout", "payouts", "paypal", "root", "safety", "secure", "security", "signin", "signup", "staff",
    "static", "status", "stripe", "support", "system", "team", "trust", "verify", "webmail",
}  # fmt: skip
_OFFICES = {"admin", "administrator", "moderator", "official", "staff"}  # nor as one word of several

# What is read as another letter at a glance: first pairs, then single characters.
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_SINGLE = str.maketrans("0123456789ijq", "olzeasgtbgllg")
_OTHER = re.compile(r"[^a-z0-9]+")
# Letters and digits that are not mistaken for one another when read aloud.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"

LOOKS_LIKE = "“{label}” looks like an address of Porchlight itself. Please choose another site address."


def skeleton(label: str) -> str:
    """What a label looks like at a glance: "p0rch-1ight" and "porchlight" have one skeleton."""
    text = label.lower().replace("-", "")
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    return text.translate(_SINGLE)


def _single(text: str) -> str:
    return re.sub(r"(.)\1+", r"\1", text)


_SKELETONS = frozenset(map(skeleton, _MISLEADING))
_OFFICE_SKELETONS = frozenset(map(skeleton, _OFFICES))
_PRODUCT_SKELETON = _single(skeleton(PRODUCT))


def refusal(label: str) -> str | None:
    """Why nobody may publish under this label, in a sentence a person reads; None when somebody may."""
    formal = label_refusal(label)
    if formal is not None:
        return formal
    look = skeleton(label)
    offices = _OFFICE_SKELETONS.intersection(map(skeleton, label.split("-")))
    if look in _SKELETONS or _PRODUCT_SKELETON in _single(look) or offices:
        return LOOKS_LIKE.format(label=label)
    return None


def proposals(name: str) -> list[str]:
    """Labels for somebody of this name, the best first. Each is allowed; whether it is free is another question."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace("'", "")
    slug = _OTHER.sub("-", bare).strip("-")[:LONGEST].strip("-")
    wanted = [slug, f"{slug}-guru", *(f"{slug}-{number}" for number in range(2, 10))] if slug else []
    wanted.append(f"{slug or 'guru'}-" + "".join(secrets.choice(_ALPHABET) for _ in range(5)))
    wanted.append("guru-" + "".join(secrets.choice(_ALPHABET) for _ in range(8)))
    return [label for label in wanted if refusal(label) is None]
