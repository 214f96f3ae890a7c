"""What an operator sets, by environment (DESIGN 9). Wrong settings stop the start with one sentence each."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

REPOSITORY = Path(__file__).resolve().parents[2]


class Settings(BaseSettings):
    """The environment. Names in capitals are the variables themselves."""

    model_config = SettingsConfigDict(extra="ignore", case_sensitive=False, populate_by_name=True)

    database_url: str = Field(default="", alias="DATABASE_URL")
    owner_database_url: str = Field(default="", alias="PORCHLIGHT_OWNER_DATABASE_URL")
    overseer_database_url: str = Field(default="", alias="PORCHLIGHT_OVERSEER_DATABASE_URL")
    # LISTEN needs a session of its own: past PgBouncer in transaction mode, where DATABASE_URL may lead.
    listen_database_url: str = Field(default="", alias="PORCHLIGHT_LISTEN_DATABASE_URL")
    env: Literal["development", "production"] = Field(default="development", alias="PORCHLIGHT_ENV")
    base_host: str = Field(default="porchlight.localhost", alias="PORCHLIGHT_BASE_HOST")
    admin_key: str = Field(default="", alias="PORCHLIGHT_ADMIN_KEY")
    limits: Literal["on", "off"] = Field(default="on", alias="PORCHLIGHT_LIMITS")
    page_cache: Literal["on", "off"] = Field(default="on", alias="PORCHLIGHT_PAGE_CACHE")
    trusted_proxies: str = Field(default="127.0.0.1", alias="PORCHLIGHT_TRUSTED_PROXIES")
    smtp_url: str = Field(default="", alias="PORCHLIGHT_SMTP_URL")
    mail_from: str = Field(default="", alias="PORCHLIGHT_MAIL_FROM")
    published_dir: Path | None = Field(default=None, alias="PORCHLIGHT_PUBLISHED_DIR")
    # The port that visitors see: of published pages, only those with it in their addresses are kept.
    https_port: int = Field(default=443, alias="PORCHLIGHT_HTTPS_PORT")
    guru_web_dir: Path = Field(default=REPOSITORY / "guru-web", alias="PORCHLIGHT_GURU_WEB_DIR")
    main_web_dir: Path = Field(default=REPOSITORY / "main-web" / "dist", alias="PORCHLIGHT_MAIN_WEB_DIR")

    @field_validator("base_host")
    @classmethod
    def _lower(cls, value: str) -> str:
        return value.strip().lower().removesuffix(".").split(":")[0]

    @property
    def production(self) -> bool:
        """Whether this is the real thing."""
        return self.env == "production"

    @property
    def proxies(self) -> frozenset[str]:
        """The addresses of our own proxies, whose X-Forwarded-For and -Proto are believed."""
        return frozenset(part.strip() for part in self.trusted_proxies.split(",") if part.strip())

    @property
    def address_secret(self) -> bytes:
        """Keys the hashes of addresses. Not kept anywhere; derived from what only the server knows."""
        return hashlib.sha256(b"porchlight addresses\0" + self.database_url.encode()).digest()

    def faults(self) -> list[str]:
        """What forbids serving with these settings, a sentence each."""
        found: list[str] = []
        if not self.database_url:
            found.append("DATABASE_URL is not set: give the URL of PostgreSQL with the role porchlight_app.")
        if self.production and self.limits == "off":
            found.append("PORCHLIGHT_LIMITS=off is for load drills: production refuses to start with it.")
        return found
