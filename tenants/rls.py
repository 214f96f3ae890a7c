"""Fences: the policies that keep a tenant's rows to itself, and the catalogue check that none is missing (DESIGN 4)."""

from __future__ import annotations

import psycopg

from tenants.roles import APP, OVERSEER, OWNER

FOUNDATIONS = f"""
CREATE SCHEMA IF NOT EXISTS app;
GRANT USAGE ON SCHEMA app TO {APP}, {OVERSEER};
CREATE FUNCTION app.tid() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.tenant_id', true), '')::uuid;
CREATE FUNCTION app.uid() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.user_id', true), '')::uuid;
"""

# Tables that belong to no tenant and no user. Each says why it may stand without a fence.
UNFENCED = {
    "alembic_version": "the migrations' own mark; the app role cannot touch it",
    "daily_salts": "one random salt a day for counting visits; no tenant's data; app role: read and insert only",
    "mailbox": "mail of the local demo; the app role cannot touch it",
    "flag_settings": "flags for everybody; no tenant's data; app role: read only",
    "admin_sessions": "sessions of staff; the app role cannot touch them",
    "admin_attempts": "wrong admin keys, counted; the app role cannot touch them",
    "impersonations": "staff who look as a guru; the app role cannot touch them",
    "hidden_listings": "listings that staff hid; the app role cannot touch it",
    "totals": "how many there are of something; the app role cannot touch it",
    "reports": "what neighbours report to the staff; the app role may leave one by a function and read none",
    "audit_log": "acts of staff; the app role cannot touch it, the overseer can only add",
    "audit_head": "the audit log's last link; the app role cannot touch it",
    "audit_seals": "seals of the audit log; the app role cannot touch them, the overseer can only add",
    "farewells": "addresses of erased accounts until their last mail; the app role may add its own by a function",
    "payment_events": "events of the payment provider by their ids; the app role may add by a function, read none",
    "contact_messages": "mail to the staff; the app role may leave one by a function and read none",
    "skill_categories": "the catalogue, the same for everybody; app role: read only",
    "skill_needles": "what can be typed to find a skill, the same for everybody; app role: read only",
    "angel_services": "kinds of local help, the same for everybody; app role: read only",
    "phrases": "what skills and searches are called, not whose they are; app role: by functions alone",
    "phrase_relations": "how phrases relate, the same for everybody; app role: by functions alone",
    "phrase_vectors": "what phrases mean, the same for everybody; app role: by functions alone",
    "search_entries": "what public pages say, gathered to be found; app role: by a function alone",
    "search_entry_phrases": "the phrases by which public pages are found; app role: by a function alone",
    "swap_rings": "a ring is its three members' together; they reach it by functions, through their own fenced rows",
    "risk_reviews": "activities to be rated, not whose they are; the app role may add by a function, read none",
}

# What the app role may do with a table that has no fence; nothing at all with the others.
OPEN_TO_APP = {
    "daily_salts": {"SELECT", "INSERT"},
    "skill_categories": {"SELECT"},
    "skill_needles": {"SELECT"},
    "angel_services": {"SELECT"},
    "flag_settings": {"SELECT"},
}

# Unique or indexed without tenant_id in front, by nature: names that exist once in the whole world.
WORLDWIDE = {
    "gurus": "a label is one guru's in the whole world; the tenant's own row is fenced by id",
    "domains": "a domain is one guru's in the whole world",
    "retired_labels": "a retired label is kept back for everybody",
    "users": "an account of the identity service is one person's in the whole world",
    "profiles": "a handle is one person's in the whole world",
    "photos": "a photo is fetched by its id alone",
    "sessions": "a cookie names its session before anybody is known",
    "angels": "who helps with something is looked for among all neighbours",
    "skill_offers": "who teaches something is looked for among all neighbours",
    "skill_wants": "who wants to learn something is looked for among all neighbours",
    "listing_photos": "a photo is fetched by its id alone",
    "swap_ring_members": "a ring is settled by the answers of all three",
    "needs": "open needs are found by angels, whoever has them",
    "need_photos": "a photo is fetched by its id alone",
    "need_offers": "offers are gathered for a need, whoever made them",
    "domain_sessions": "a pass or a cookie of a custom domain names its session before anybody is known",
    "documents": "staff see what waits and sweeps what ends, whoever it belongs to; unique within their user",
    "document_files": "a sweep finds uploads that nobody used, whoever they belong to; unique within their user",
    "payout_accounts": "an account at the payment provider is one person's in the whole world",
    "memberships": "a person owns one guru at most in the whole world",
}

# Tables that SECURITY DEFINER functions read as the owner, across all fences: the one way past them, so each is named.
DIRECTORY = {
    "gurus": "a label is looked up before a tenant is known",
    "domains": "a domain is looked up before a tenant is known",
    "retired_labels": "a former label is looked up before a tenant is known",
    "users": "an account is looked up before a user is known",
    "whereabouts": "matches are told apart by coarse distance",
    "skill_offers": "public offers are anybody's to find",
    "skill_wants": "public wants are matched with offers",
    "listing_photos": "photos of public offers are anybody's to see",
    "swap_ring_members": "a member of a ring sees the other two",
    "profiles": "a public profile is anybody's to read",
    "photos": "a photo is anybody's to see who knows its id",
    "sessions": "a cookie is looked up before a user is known",
    "angels": "neighbours see who offers help, with coarse places alone",
    "needs": "angels see what is needed near them, with coarse places alone",
    "need_photos": "who may see a need may see its photos",
    "need_offers": "a need's owner sees what is offered for it",
    "domain_sessions": "a pass and a cookie of a custom domain are looked up before a user is known",
    "memberships": "a person's guru is looked up before a tenant is known",
    "documents": "what a guru may list depends on how their documents stand",
    "onboardings": "whether somebody is ready to publish is looked at before a guru is made of them",
    "category_picks": "whether somebody is ready to publish is looked at before a guru is made of them",
    "payout_accounts": "whether somebody is ready to publish is looked at before a guru is made of them",
    "posts": "the front page shows the newest published posts of all gurus",
}

# Tables that SECURITY DEFINER functions write as the owner, each row within the fence the function sets for itself.
FOUNDED = {
    "gurus": "a guru is made, renamed and taken down by functions that know whose it is",
    "memberships": "whoever publishes owns the guru",
    "retired_labels": "a guru that renames themselves leaves a label behind",
}


def fence(table: str, *, key: str = "tenant_id", setting: str = "tid", directory: bool = False) -> str:
    """The SQL that fences `table` (a literal of a migration, never input) on `key` by `app.<setting>()`.

    The overseer sees all rows by a policy of its own. `directory`: the owner may read it too, for the lookup
    functions that turn a host name into a tenant before any tenant is known.
    """
    if not (table.isidentifier() and key.isidentifier() and setting in ("tid", "uid")):
        raise ValueError("fences are named by literals")
    own = f"{key} = app.{setting}()"
    statements = [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY tenant ON {table} TO {APP} USING ({own}) WITH CHECK ({own})",
        f"CREATE POLICY overseer ON {table} TO {OVERSEER} USING (true) WITH CHECK (true)",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {APP}, {OVERSEER}",
    ]
    if directory:
        statements.append(f"CREATE POLICY directory ON {table} FOR SELECT TO {OWNER} USING (true)")
    return ";\n".join(statements) + ";"


def shows_on_site(table: str) -> str:
    """The SQL of the trigger by which a change in `table` gives the guru's site a new content version."""
    if not table.isidentifier():
        raise ValueError("triggers are named by literals")
    return "".join(
        f"CREATE TRIGGER site_changed_{event} AFTER {event} ON {table} "
        f"REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_{event}();\n"
        for event, tables in (
            ("insert", "NEW TABLE AS new_rows"),
            ("update", "OLD TABLE AS old_rows NEW TABLE AS new_rows"),
            ("delete", "OLD TABLE AS old_rows"),
        )
    )


_TABLES = """
SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped),
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped)
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1
"""
_POLICIES = """
SELECT tablename, policyname, roles::text[], cmd, permissive, coalesce(qual, ''), coalesce(with_check, '')
  FROM pg_policies WHERE schemaname = 'public'
"""
_INDEXES = """
SELECT c.relname, i.relname, (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = x.indkey[0])
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
 WHERE c.relnamespace = 'public'::regnamespace
"""
_FOREIGN_KEYS = """
SELECT c.relname, k.conname, f.relname,
       (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = k.conkey[1]),
       (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = k.confrelid AND a.attnum = k.confkey[1])
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid
 WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace
"""
_VIEWS = """
SELECT relname FROM pg_class
 WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
   AND NOT coalesce(reloptions::text[] @> ARRAY['security_invoker=true'], false)
"""
_COPIES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('m', 'f')"
_ELSEWHERE = """
SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
   AND n.nspname NOT IN ('public', 'jobs', 'pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
"""
_DEFINERS = """
SELECT p.proname, coalesce(array_to_string(p.proconfig, ',') LIKE '%search_path=%', false),
       p.prorettype <> 'trigger'::regtype
       AND EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
                    WHERE g.grantee = 0 AND g.privilege_type = 'EXECUTE')
  FROM pg_proc p WHERE p.pronamespace IN ('public'::regnamespace, 'app'::regnamespace) AND p.prosecdef
"""
_GRANTS = """
SELECT n.nspname, c.relname,
       (SELECT array_agg(DISTINCT g.privilege_type) FROM aclexplode(c.relacl) g
          LEFT JOIN pg_roles r ON r.oid = g.grantee WHERE g.grantee = 0 OR r.rolname = %(app)s),
       coalesce((SELECT bool_or(g.privilege_type = 'SELECT') FROM aclexplode(c.relacl) g
                   JOIN pg_roles r ON r.oid = g.grantee WHERE r.rolname = %(overseer)s), false)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname IN ('public', 'jobs') AND c.relkind IN ('r', 'p')
"""


def catalogue_faults(dsn: str) -> list[str]:
    """What is wrong with the fences of the database at `dsn`; each fault is a sentence that says what to do."""
    with psycopg.connect(dsn) as conn:
        tables = conn.execute(_TABLES).fetchall()
        policies = conn.execute(_POLICIES).fetchall()
        indexes = conn.execute(_INDEXES).fetchall()
        foreign_keys = conn.execute(_FOREIGN_KEYS).fetchall()
        views = conn.execute(_VIEWS).fetchall()
        copies = conn.execute(_COPIES).fetchall()
        elsewhere = conn.execute(_ELSEWHERE).fetchall()
        definers = conn.execute(_DEFINERS).fetchall()
        grants = conn.execute(_GRANTS, {"app": APP, "overseer": OVERSEER}).fetchall()
    faults: list[str] = []
    fenced: dict[str, str] = {}
    for name, enabled, forced, by_tenant, by_user in tables:
        if name in UNFENCED:
            continue
        key = "id" if name == "gurus" else "tenant_id" if by_tenant else "user_id" if by_user else ""
        if not key:
            faults.append(f"{name}: has no tenant_id or user_id; give it one, or list it in UNFENCED with its reason.")
            continue
        fenced[name] = key
        if not (enabled and forced):
            faults.append(f"{name}: row level security is not enabled and forced; its migration needs fence('{name}').")
        faults += _policy_faults(name, key, [p[1:] for p in policies if p[0] == name])
    for table, index, first in indexes:
        if table in fenced and table not in WORLDWIDE and first != fenced[table]:
            faults.append(f"{table}: the index {index} begins with {first}, not with {fenced[table]}.")
    for table, constraint, target, first, target_first in foreign_keys:
        crooked = target in fenced and (first != fenced.get(table) or target_first != fenced[target])
        if table in fenced and crooked and table not in WORLDWIDE:
            faults.append(f"{table}: the foreign key {constraint} bypasses the fence; begin it with {fenced[table]}.")
    faults += [f"{view}: a view must be security_invoker." for (view,) in views]
    faults += [f"{copy}: a materialized view or foreign table has no row level security." for (copy,) in copies]
    faults += [f"{name}: tables belong into the schema public, where fences are checked." for (name,) in elsewhere]
    for name, fixed, for_everybody in definers:
        if not fixed:
            faults.append(f"{name}: a SECURITY DEFINER function must fix its search_path.")
        if for_everybody:
            faults.append(f"{name}: everybody may call this SECURITY DEFINER function; REVOKE it from PUBLIC.")
    return faults + _grant_faults(fenced, grants)


def _policy_faults(table: str, key: str, policies: list[tuple[str, list[str], str, str, str, str]]) -> list[str]:
    wanted = f"({key} = app.{'uid' if key == 'user_id' else 'tid'}())"
    faults: list[str] = []
    has = {APP: False, OVERSEER: False, OWNER: table not in DIRECTORY}
    founds = table not in FOUNDED
    for name, roles, command, permissive, qual, check in policies:
        if permissive != "PERMISSIVE":
            continue  # it can only take away
        if roles == [APP] and command == "ALL" and qual == wanted and check == wanted:
            has[APP] = True
        elif roles == [OVERSEER] and command == "ALL" and qual == "true" and check == "true":
            has[OVERSEER] = True
        elif roles == [OWNER] and command == "SELECT" and table in DIRECTORY:
            has[OWNER] = True
        elif roles == [OWNER] and command == "ALL" and table in FOUNDED and qual == wanted and check == wanted:
            founds = True
        else:
            faults.append(f"{table}: the policy {name} lets {', '.join(roles)} past the fence ({command} {qual}).")
    faults += [
        f"{table}: has no policy for {role}; its migration needs fence('{table}')." for role in has if not has[role]
    ]
    if not founds:
        faults.append(f"{table}: its functions cannot write it; FOUNDED names it, so its policy `founding` is missing.")
    return faults


def _grant_faults(fenced: dict[str, str], grants: list[tuple[str, str, list[str] | None, bool]]) -> list[str]:
    faults: list[str] = []
    for schema, table, of_app, overseen in grants:
        rows = {"SELECT", "INSERT", "UPDATE", "DELETE"}
        allowed = rows if table in fenced else OPEN_TO_APP.get(table, set())
        if schema != "public":
            allowed = set()
        elif table in fenced and not overseen:
            faults.append(f"{table}: {OVERSEER} cannot read it; its migration needs fence('{table}').")
        if excess := set(of_app or ()) - allowed:
            faults.append(f"{table}: {APP} has {', '.join(sorted(excess))} on it, which no request needs; REVOKE it.")
    return faults
