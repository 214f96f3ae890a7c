"""Shared foundation of the product: tenancy, database, HTTP and small tools."""

from tenants.kit import zones

# Before any module builds a zone: each process follows the same rules.
zones.use_pinned_rules()
