"""The implementations of the ports, chosen by the settings. `app.py`, the worker and the commands connect them.

The modules of large libraries are imported on demand, since each command and the worker use only some of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from porchlight.geo.gazetteer import Gazetteer
from porchlight.geo.service import GeocodingService
from porchlight.payment_ports import Payouts, StripeApi
from porchlight.ports import Embedder, Geocoder, Identity, PushSender
from porchlight.push.keys import vapid_keys
from porchlight.settings.environment import Settings

if TYPE_CHECKING:  # numpy is imported after its environment is set
    from porchlight.embeddings.encoder import Encoder
    from porchlight.embeddings.skill_finder import SkillFinder
    from porchlight.features.risk.classifier import RiskClassifier


def identity(settings: Settings) -> Identity | None:
    """Return the identity provider's account API, or None when it is not configured."""
    if not settings.firebase_project_id or not (settings.firebase_emulator_host or settings.firebase_credentials):
        return None
    from porchlight.auth.firebase import FirebaseIdentity

    return FirebaseIdentity(settings.firebase_project_id, settings.firebase_emulator_host)


def payments(settings: Settings) -> Payouts | None:
    """Return the payment provider, or None when it is not configured."""
    if not settings.stripe_secret_key:
        return None
    from porchlight.stripe.accounts import StripePayouts  # its SDK takes half a second to load

    return StripePayouts(settings.stripe_secret_key, settings.stripe_api_base)


def stripe_api(settings: Settings) -> StripeApi | None:
    """Return the payment provider for money and events, or None when it is not configured."""
    if not settings.stripe_secret_key:
        return None
    from porchlight.stripe.client import StripeClient

    return StripeClient(
        settings.stripe_secret_key,
        settings.stripe_webhook_secret,
        settings.stripe_connect_webhook_secret,
        settings.stripe_api_base,
    )


def push_sender(settings: Settings) -> PushSender | None:
    """Return the sender of notes to browsers, or None without a key."""
    keys = vapid_keys(settings)
    if not keys:
        return None
    from porchlight.push.web_push import WebPush

    return WebPush(keys, settings.main_origin)


def geocoder(settings: Settings) -> Geocoder:
    """Return the geocoder: the offline gazetteer, behind the configured service if there is one."""
    gazetteer = Gazetteer()
    return GeocodingService(settings.geocoder_url, gazetteer) if settings.geocoder_url else gazetteer


@cache
def _encoder() -> Encoder | None:
    """Return the sentence encoder, one per process; None if its package is not installed."""
    # Set before numpy is imported: its threads spin while they wait, and requests need the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from porchlight.embeddings.encoder import Encoder, model_folder

    folder = model_folder()
    return Encoder(folder) if folder is not None else None


def embedder(settings: Settings) -> Embedder | None:
    """Return the embedding model: the configured service, else the installed one; None without a model."""
    if settings.embeddings_url == "off":
        return None
    if settings.embeddings_url:
        from porchlight.embeddings.encoder import DIMENSIONS
        from porchlight.embeddings.endpoint import EmbeddingEndpoint

        return EmbeddingEndpoint(settings.embeddings_url, settings.embeddings_key, DIMENSIONS)
    encoder = _encoder()
    if encoder is None:
        return None
    from porchlight.embeddings.minilm import MiniLM

    return MiniLM(encoder)


def skill_finder(settings: Settings, skills: Sequence[str]) -> SkillFinder | None:
    """Return what finds these skills in bios, None without a model."""
    model = embedder(settings)
    if model is None:
        return None
    from porchlight.embeddings.skill_finder import SkillFinder

    return SkillFinder(model, skills)


def risk_classifier(settings: Settings) -> RiskClassifier | None:
    """Return the risk classifier, None without the installed model: then the lexicon alone rates activities."""
    encoder = None if settings.embeddings_url == "off" else _encoder()
    if encoder is None:
        return None
    from porchlight.features.risk.classifier import RiskClassifier

    return RiskClassifier(encoder)
