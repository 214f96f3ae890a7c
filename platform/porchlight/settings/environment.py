"""Settings from environment variables (ARCHITECTURE 9). Invalid settings stop the start with one sentence each."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from porchlight.settings import keys
from tenants.kit.email_addresses import EMAIL_ADDRESS, InvalidEmail, ascii_email, split_sender

REPOSITORY = Path(__file__).resolve().parents[3]


class Settings(BaseSettings):
    """All settings. Each `alias` is the environment variable."""

    model_config = SettingsConfigDict(extra="ignore", case_sensitive=False, populate_by_name=True)

    database_url: str = Field(default="", alias="DATABASE_URL")
    owner_database_url: str = Field(default="", alias="PORCHLIGHT_OWNER_DATABASE_URL")
    overseer_database_url: str = Field(default="", alias="PORCHLIGHT_OVERSEER_DATABASE_URL")
    # LISTEN needs a session, so this URL must bypass a PgBouncer in transaction mode that DATABASE_URL may go through.
    listen_database_url: str = Field(default="", alias="PORCHLIGHT_LISTEN_DATABASE_URL")
    env: Literal["development", "production"] = Field(default="production", alias="PORCHLIGHT_ENV")
    # Tests and demos run at another time (tenants.kit.clock reads it).
    clock_offset_seconds: int = Field(default=0, alias="PORCHLIGHT_CLOCK_OFFSET_SECONDS")
    base_host: str = Field(default="porchlight.localhost", alias="PORCHLIGHT_BASE_HOST")
    admin_key: str = Field(default="", alias="PORCHLIGHT_ADMIN_KEY")
    # Signs the audit log: one or more keys; the first signs. Without it, the service role's password is the key.
    audit_key: str = Field(default="", alias="PORCHLIGHT_AUDIT_KEY")
    # Sign waivers: id:seed, separated by commas; the first signs. Development derives a key without it.
    waiver_keys: str = Field(default="", alias="PORCHLIGHT_WAIVER_KEYS")
    limits: Literal["on", "off"] = Field(default="on", alias="PORCHLIGHT_LIMITS")
    page_cache: Literal["on", "off"] = Field(default="on", alias="PORCHLIGHT_PAGE_CACHE")
    # How long a request's body may take, and an upload's may stall.
    body_seconds: float = Field(default=15, gt=0, le=60, alias="PORCHLIGHT_BODY_SECONDS")
    trusted_proxies: str = Field(default="127.0.0.1", alias="PORCHLIGHT_TRUSTED_PROXIES")
    smtp_url: str = Field(default="", alias="PORCHLIGHT_SMTP_URL")
    mail_from: str = Field(default="", alias="PORCHLIGHT_MAIL_FROM")
    # URL of the main platform, with the port, for links in emails.
    main_url: str = Field(default="", alias="PORCHLIGHT_MAIN_URL")
    contact_email: str = Field(default="", alias="PORCHLIGHT_CONTACT_EMAIL")
    # The operator's details on /about, besides the contact email: each is optional.
    operator_name: str = Field(default="", alias="PORCHLIGHT_OPERATOR_NAME")
    operator_address: str = Field(default="", alias="PORCHLIGHT_OPERATOR_ADDRESS")
    operator_phone: str = Field(default="", alias="PORCHLIGHT_OPERATOR_PHONE")
    firebase_project_id: str = Field(default="", alias="FIREBASE_PROJECT_ID")
    firebase_api_key: str = Field(default="", alias="FIREBASE_API_KEY")
    firebase_auth_domain: str = Field(default="", alias="FIREBASE_AUTH_DOMAIN")
    firebase_emulator_host: str = Field(default="", alias="FIREBASE_AUTH_EMULATOR_HOST")
    firebase_certs_url: str = Field(default="", alias="PORCHLIGHT_FIREBASE_CERTS_URL")
    firebase_credentials: str = Field(default="", alias="GOOGLE_APPLICATION_CREDENTIALS")
    files_url: str = Field(default=(REPOSITORY / ".state" / "files").as_uri(), alias="PORCHLIGHT_FILES_URL")
    stripe_secret_key: str = Field(default="", alias="STRIPE_SECRET_KEY")
    # Comma lists: during a rotation, the new and the old secret. One endpoint gets the platform's own events, the other
    # those of connected accounts.
    stripe_webhook_secret: str = Field(default="", alias="STRIPE_WEBHOOK_SECRET")
    stripe_connect_webhook_secret: str = Field(default="", alias="STRIPE_CONNECT_WEBHOOK_SECRET")
    stripe_api_base: str = Field(default="", alias="STRIPE_API_BASE")
    stripe_publishable_key: str = Field(default="", alias="STRIPE_PUBLISHABLE_KEY")
    stripe_pricing_table_id: str = Field(default="", alias="STRIPE_PRICING_TABLE_ID")
    # The script of the pricing table; empty: Stripe's own.
    stripe_pricing_table_url: str = Field(default="", alias="STRIPE_PRICING_TABLE_URL")
    # The platform's fee on a session: basis points of the price by plan, and the least fee.
    skill_sharer_fee_bps: int = Field(default=1000, ge=0, le=10_000, alias="PORCHLIGHT_SKILL_SHARER_FEE_BPS")
    premium_angel_fee_bps: int = Field(default=700, ge=0, le=10_000, alias="PORCHLIGHT_PREMIUM_ANGEL_FEE_BPS")
    minimum_fee_cents: int = Field(default=50, ge=0, alias="PORCHLIGHT_MINIMUM_FEE_CENTS")
    # Production starts with a live key only if this is on.
    money_live: Literal["on", "off"] = Field(default="off", alias="PORCHLIGHT_MONEY_LIVE")
    # The price of an instant payout: that of Stripe's platform pricing tools.
    instant_fee_bps: int = Field(default=150, ge=0, le=10_000, alias="PORCHLIGHT_INSTANT_FEE_BPS")
    instant_fee_minimum_cents: int = Field(default=50, ge=0, alias="PORCHLIGHT_INSTANT_FEE_MINIMUM_CENTS")
    # Limits of instant payouts: per guru and day (US Central), of the whole platform and day, and for new money.
    instant_daily_count: int = Field(default=5, ge=0, alias="PORCHLIGHT_INSTANT_DAILY_COUNT")
    instant_daily_cents: int = Field(default=250_000, ge=0, alias="PORCHLIGHT_INSTANT_DAILY_CENTS")
    instant_platform_daily_cents: int = Field(default=5_000_000, ge=0, alias="PORCHLIGHT_INSTANT_PLATFORM_DAILY_CENTS")
    instant_first_sale_days: int = Field(default=7, ge=0, alias="PORCHLIGHT_INSTANT_FIRST_SALE_DAYS")
    instant_change_hours: int = Field(default=72, ge=0, alias="PORCHLIGHT_INSTANT_CHANGE_HOURS")
    # Above this amount, the last sign-in must be this recent.
    instant_sign_in_cents: int = Field(default=50_000, ge=0, alias="PORCHLIGHT_INSTANT_SIGN_IN_CENTS")
    instant_sign_in_minutes: int = Field(default=30, ge=1, alias="PORCHLIGHT_INSTANT_SIGN_IN_MINUTES")
    geocoder_url: str = Field(default="", alias="PORCHLIGHT_GEOCODER_URL")
    # Name servers for checks of custom domains: addresses with optional ports, or empty for the system's.
    dns_servers: str = Field(default="", alias="PORCHLIGHT_DNS_SERVERS")
    # An OpenAI-compatible embeddings endpoint, "off", or empty for the installed model.
    embeddings_url: str = Field(default="", alias="PORCHLIGHT_EMBEDDINGS_URL")
    embeddings_key: str = Field(default="", alias="PORCHLIGHT_EMBEDDINGS_KEY")
    published_dir: Path | None = Field(default=None, alias="PORCHLIGHT_PUBLISHED_DIR")
    # The public port. Only pages requested on this port are saved as snapshots.
    https_port: int = Field(default=443, alias="PORCHLIGHT_HTTPS_PORT")
    guru_web_dir: Path = Field(default=REPOSITORY / "guru-web", alias="PORCHLIGHT_GURU_WEB_DIR")
    main_web_dir: Path = Field(default=REPOSITORY / "main-web" / "dist", alias="PORCHLIGHT_MAIN_WEB_DIR")

    @field_validator("base_host")
    @classmethod
    def _lower(cls, value: str) -> str:
        return value.strip().lower().removesuffix(".").split(":")[0]

    @property
    def production(self) -> bool:
        """Return whether this is a production installation."""
        return self.env == "production"

    @property
    def live_money(self) -> bool:
        """Return whether Stripe's key moves real money."""
        return self.stripe_secret_key.startswith(("sk_live", "rk_live"))

    @property
    def proxies(self) -> frozenset[str]:
        """Return the addresses of trusted proxies, whose X-Forwarded-For and -Proto count."""
        return frozenset(part.strip() for part in self.trusted_proxies.split(",") if part.strip())

    @property
    def address_secret(self) -> bytes:
        """Return the key of IP address hashes. It is stored nowhere: it is derived from a server secret."""
        return hashlib.sha256(b"porchlight addresses\0" + self.database_url.encode()).digest()

    @property
    def device_secret(self) -> bytes:
        """Return the key that signs the cookies of known admin devices. It is stored nowhere, either."""
        return hashlib.sha256(b"porchlight devices\0" + self.database_url.encode()).digest()

    @property
    def main_origin(self) -> str:
        """Return the main platform's origin, for links in emails."""
        return self.main_url.rstrip("/") or f"https://{self.base_host}"

    @property
    def own_hosts(self) -> frozenset[str]:
        """Return the platform's own hosts, which no guru can add as a custom domain."""
        return frozenset({self.base_host, urlsplit(self.main_origin).hostname or self.base_host})

    @property
    def sender(self) -> str:
        """Return the sender of email: an address with an optional name."""
        return self.mail_from or f"Porchlight <notices@{self.base_host}>"

    @property
    def staff_address(self) -> str:
        """Return the recipient of the contact form."""
        return self.contact_email or f"hello@{self.base_host}"

    @property
    def auth_domain(self) -> str:
        """Return the host of Firebase's sign-in pages."""
        return self.firebase_auth_domain or f"{self.firebase_project_id}.firebaseapp.com"

    @property
    def emulator_url(self) -> str | None:
        """Return the Auth emulator's URL for browsers, or None without an emulator."""
        return f"http://{self.firebase_emulator_host}" if self.firebase_emulator_host else None

    @property
    def pricing_table_script(self) -> str:
        """Return the URL of the script of the pricing table."""
        return self.stripe_pricing_table_url or "https://js.stripe.com/v3/pricing-table.js"

    def problems(self) -> list[str]:
        """Return why these settings cannot be served, one sentence per problem."""
        problems: list[str] = []
        if not self.database_url:
            problems.append("DATABASE_URL is not set: give the URL of PostgreSQL with the role porchlight_app.")
        if self.production and self.limits == "off":
            problems.append("PORCHLIGHT_LIMITS=off is for load tests: production refuses to start with it.")
        if self.production and self.firebase_emulator_host:
            problems.append(
                "FIREBASE_AUTH_EMULATOR_HOST is set: the emulator's tokens are not signed, and production refuses to "
                "start with it."
            )
        if self.production and self.firebase_certs_url and not self.firebase_certs_url.startswith("https://"):
            problems.append("PORCHLIGHT_FIREBASE_CERTS_URL must be https:// in production.")
        if self.production and self.firebase_project_id and not self.firebase_api_key:
            problems.append("FIREBASE_API_KEY is not set: browsers need the web API key of the Firebase project.")
        if self.production and self.files_url.startswith("s3+http:"):
            problems.append(
                "PORCHLIGHT_FILES_URL must be s3+https:// in production: documents would travel unencrypted."
            )
        problems += self._stripe_problems()
        problems += keys.key_problems(self.admin_key) + keys.key_problems(self.audit_key, "PORCHLIGHT_AUDIT_KEY")
        problems += keys.waiver_key_problems(self.waiver_keys)
        if self.production and not self.waiver_keys.strip(", "):
            problems.append(
                "PORCHLIGHT_WAIVER_KEYS is not set: waivers cannot be signed. Create a key (see the operator's guide)."
            )
        return problems + self.email_problems() + self.clock_problems()

    def email_problems(self) -> list[str]:
        """Return why email cannot be sent with these settings."""
        problems: list[str] = []
        for name, address, example in (
            ("PORCHLIGHT_MAIL_FROM", self.mail_from, "Porchlight <notices@porchlight.example>"),
            ("PORCHLIGHT_CONTACT_EMAIL", self.contact_email, "hello@porchlight.example"),
        ):
            try:
                if address and not EMAIL_ADDRESS.fullmatch(ascii_email(split_sender(address)[1])):
                    problems.append(f"{name} must look like {example}.")
            except InvalidEmail:
                problems.append(f"{name} needs an address with only ASCII letters before the @.")
        return problems

    def clock_problems(self) -> list[str]:
        """Return why no process of the product may run with these settings."""
        if self.production and self.clock_offset_seconds:
            return ["PORCHLIGHT_CLOCK_OFFSET_SECONDS is for tests: production refuses to start with it."]
        return []

    def _stripe_problems(self) -> list[str]:
        problems: list[str] = []
        if self.stripe_secret_key and not self.stripe_webhook_secret:
            problems.append("STRIPE_WEBHOOK_SECRET is not set: without it, Stripe's webhooks cannot be verified.")
        if self.stripe_secret_key and not self.stripe_connect_webhook_secret:
            problems.append(
                "STRIPE_CONNECT_WEBHOOK_SECRET is not set: without it, events of connected accounts cannot be verified."
            )
        if self.production and self.stripe_secret_key.startswith(("sk_live_", "rk_live_")) and self.money_live != "on":
            problems.append(
                "STRIPE_SECRET_KEY is a live key: set PORCHLIGHT_MONEY_LIVE=on once you have read the operator's guide."
            )
        table = self.stripe_pricing_table_url
        if table and (not urlsplit(table).netloc or (self.production and not table.startswith("https://"))):
            problems.append("STRIPE_PRICING_TABLE_URL must be an https:// URL in production, or not be set.")
        if self.production and self.stripe_api_base and not self.stripe_api_base.startswith("https://"):
            problems.append("STRIPE_API_BASE must be https:// in production, or not be set.")
        return problems
