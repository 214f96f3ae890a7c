"""The tables of the audit log: entries, signatures, and the head of the hash chain."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("audit_head", "audit_log", "audit_seals")
