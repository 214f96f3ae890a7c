"""Rules for subdomains: suggestions from a name, and refusal of reserved or misleading ones. No I/O."""

from __future__ import annotations

import re
import secrets
import unicodedata

from tenants.tenancy.hosts import RESERVED_LABELS, label_error

PRODUCT = "porchlight"
MAX_SUGGESTION_LENGTH = 40  # a user may choose up to 63 characters

# Names that visitors could mistake for the platform, its staff or a payment service.
_MISLEADING = RESERVED_LABELS | {
    "account", "accounts", "administrator", "assets", "auth", "billing", "cdn", "contact", "dashboard", "docs",
    "feedback", "help", "helpdesk", "internal", "login", "mail", "moderator", "official", "onboarding", "payment",
    "payments", "payout", "payouts", "paypal", "root", "safety", "secure", "security", "signin", "signup", "staff",
    "static", "status", "stripe", "support", "system", "team", "trust", "verify", "webmail",
}  # fmt: skip
_ROLE_WORDS = {"admin", "administrator", "moderator", "official", "staff"}  # forbidden as one word of several, too

# Characters that look like others: first pairs, then single characters.
_LOOKALIKE_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_LOOKALIKES = str.maketrans("0123456789ijq", "olzeasgtbgllg")
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")
# Letters and digits that are not confused with each other.
_SUFFIX_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"

MISLEADING_MESSAGE = "“{label}” looks like one of Porchlight's own addresses. Please choose another site address."


def skeleton(label: str) -> str:
    """Map lookalike characters to one form: "p0rch-1ight" and "porchlight" have the same skeleton."""
    text = label.lower().replace("-", "")
    for pair, letter in _LOOKALIKE_PAIRS:
        text = text.replace(pair, letter)
    return text.translate(_LOOKALIKES)


def _collapse_repeats(text: str) -> str:
    return re.sub(r"(.)\1+", r"\1", text)


_SKELETONS = frozenset(map(skeleton, _MISLEADING))
_ROLE_WORD_SKELETONS = frozenset(map(skeleton, _ROLE_WORDS))
_PRODUCT_SKELETON = _collapse_repeats(skeleton(PRODUCT))


def refusal_message(label: str) -> str | None:
    """Return the message that says why a label is not allowed, or None if it is allowed."""
    syntax_error = label_error(label)
    if syntax_error is not None:
        return syntax_error
    form = skeleton(label)
    role_words = _ROLE_WORD_SKELETONS.intersection(map(skeleton, label.split("-")))
    if form in _SKELETONS or _PRODUCT_SKELETON in _collapse_repeats(form) or role_words:
        return MISLEADING_MESSAGE.format(label=label)
    return None


def suggest_labels(name: str) -> list[str]:
    """Return allowed labels for a user of this name, best first. They may be taken."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace("'", "")
    slug = _NOT_ALPHANUMERIC.sub("-", ascii_name).strip("-")[:MAX_SUGGESTION_LENGTH].strip("-")
    candidates = [slug, f"{slug}-guru", *(f"{slug}-{number}" for number in range(2, 10))] if slug else []
    candidates.append(f"{slug or 'guru'}-" + "".join(secrets.choice(_SUFFIX_ALPHABET) for _ in range(5)))
    candidates.append("guru-" + "".join(secrets.choice(_SUFFIX_ALPHABET) for _ in range(8)))
    return [label for label in candidates if refusal_message(label) is None]
