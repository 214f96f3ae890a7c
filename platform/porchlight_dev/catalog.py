"""A database's catalog as text: one definition per object, so that two databases can be compared."""

from __future__ import annotations

from typing import LiteralString

from tenants.db.rows import Connection

# Alembic makes this table itself.
_IGNORED = "alembic_version"

_SCHEMAS = """
SELECT 'schema ' || nspname, concat_ws(' ', pg_get_userbyid(nspowner), app_acl) FROM (
  SELECT n.*, (SELECT string_agg(a::text, ' ' ORDER BY a::text) FROM unnest(nspacl) a) AS app_acl
    FROM pg_namespace n WHERE nspname IN ('public', 'app', 'jobs')) s
"""
_EXTENSIONS = """
SELECT 'extension ' || extname, extnamespace::regnamespace::text FROM pg_extension WHERE extname <> 'plpgsql'
"""
_RELATIONS = """
SELECT 'relation ' || c.oid::regclass, concat_ws(' ', c.relkind, pg_get_userbyid(c.relowner), c.relrowsecurity,
       c.relforcerowsecurity, c.relpersistence, c.reloptions::text, c.relreplident,
       (SELECT string_agg(a::text, ' ' ORDER BY a::text) FROM unnest(c.relacl) a),
       obj_description(c.oid, 'pg_class'))
  FROM pg_class c WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND {mine}
"""
_VIEWS = """
SELECT 'view ' || c.oid::regclass, pg_get_viewdef(c.oid) FROM pg_class c WHERE c.relkind = 'v' AND {mine}
"""
_COLUMNS = """
SELECT 'column ' || c.oid::regclass || '.' || a.attname, concat_ws(' ',
       (SELECT count(*) FROM pg_attribute b
         WHERE b.attrelid = a.attrelid AND b.attnum BETWEEN 1 AND a.attnum AND NOT b.attisdropped),
       format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attstorage,
       a.attcollation::regcollation, a.attoptions::text, pg_get_expr(d.adbin, d.adrelid),
       (SELECT string_agg(x::text, ' ' ORDER BY x::text) FROM unnest(a.attacl) x), col_description(c.oid, a.attnum))
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND {mine}
"""
_CONSTRAINTS = """
SELECT 'constraint ' || c.oid::regclass || '.' || k.conname, concat_ws(' ', pg_get_constraintdef(k.oid),
       k.condeferrable, k.convalidated)
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE {mine}
"""
_INDEXES = """
SELECT 'index ' || i.indexrelid::regclass, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid)
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE {mine}
"""
_TRIGGERS = """
SELECT 'trigger ' || c.oid::regclass || '.' || t.tgname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND {mine}
"""
_POLICIES = """
SELECT 'policy ' || c.oid::regclass || '.' || p.polname, concat_ws(' ', p.polcmd, p.polpermissive,
       (SELECT string_agg(r::regrole::text, ',' ORDER BY r::regrole::text) FROM unnest(p.polroles) r),
       pg_get_expr(p.polqual, p.polrelid), '|', pg_get_expr(p.polwithcheck, p.polrelid))
  FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE {mine}
"""
_FUNCTIONS = """
SELECT 'function ' || p.oid::regprocedure, concat_ws(' ', pg_get_functiondef(p.oid), pg_get_userbyid(p.proowner),
       (SELECT string_agg(a::text, ' ' ORDER BY a::text)
          FROM unnest(coalesce(p.proacl, acldefault('f', p.proowner))) a),
       obj_description(p.oid, 'pg_proc'))
  FROM pg_proc p WHERE p.pronamespace::regnamespace::text IN ('public', 'app', 'jobs') AND p.prokind IN ('f', 'p')
   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
"""
_TYPES = """
SELECT 'type ' || t.oid::regtype, concat_ws(' ', t.typtype,
       (SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
  FROM pg_type t WHERE t.typnamespace::regnamespace::text IN ('public', 'app', 'jobs') AND t.typtype IN ('e', 'd', 'r')
   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')
"""
_MINE = f"""
c.relnamespace::regnamespace::text IN ('public', 'app', 'jobs') AND c.relname NOT LIKE '{_IGNORED}%'
 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
"""
_QUERIES: tuple[LiteralString, ...] = (
    _SCHEMAS, _EXTENSIONS, _RELATIONS, _VIEWS, _COLUMNS, _CONSTRAINTS, _INDEXES, _TRIGGERS, _POLICIES, _FUNCTIONS,
    _TYPES,
)  # fmt: skip


def catalog(conn: Connection) -> dict[str, str]:
    """Return the definition of every object in the schemas `public`, `app` and `jobs`, by kind and name."""
    objects: dict[str, str] = {}
    for query in _QUERIES:
        objects.update((name, definition) for name, definition in conn.execute(query.replace("{mine}", _MINE)))
    return objects


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Return one line per object that is not the same in both catalogs."""
    return [
        f"{name}: {one.get(name, 'missing')} | {other.get(name, 'missing')}"
        for name in sorted(one.keys() | other.keys())
        if one.get(name) != other.get(name)
    ]
