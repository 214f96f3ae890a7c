"""A PostgreSQL server for one machine."""
