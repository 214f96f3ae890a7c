"""Row-level security: the policies that isolate tenants, and a check of the catalog for gaps (docs/tenancy.md)."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from tenants.db.roles import APP_ROLE, OWNER_ROLE, SERVICE_ROLE
from tenants.db.rows import Columns

# Tables without a tenant or user, each with the reason why it needs no policy.
SHARED_TABLES = {
    "alembic_version": "the revision of the migrations; the app role has no access",
    "daily_salts": "one random salt per day for counting visits; no tenant's data; app role: read and insert only",
    "dev_mailbox": "emails of the local demo; the app role has no access",
    "flag_settings": "feature flags; no tenant's data; app role: read only",
    "admin_keys": "hashes of named admin keys; the app role has no access",
    "admin_sessions": "sessions of staff; the app role has no access",
    "admin_attempts": "failed admin keys; the app role has no access",
    "admin_addresses": "hashed addresses of staff; the app role has no access",
    "impersonations": "staff who view a guru's console; the app role has no access",
    "hidden_listings": "listings hidden by staff; the app role has no access",
    "daily_counters": "row counters per day; the app role has no access",
    "counters": "row counters; the app role has no access",
    "risk_scores": "scores of hashed texts; no tenant's data; app role: read, and add by a function",
    "reports": "users' reports to the staff; the app role can create them by a function and read none",
    "audit_log": "actions of staff; the app role has no access, the service role can only insert",
    "audit_head": "the last entry of the audit log's hash chain; the app role has no access",
    "audit_seals": "signatures of the audit log; the app role has no access, the service role can only insert",
    "pending_account_emails": "addresses of deleted accounts until the last email; app role: insert by a function",
    "stripe_outbox": "changes at the payment provider; the app role can insert by functions and read none",
    "stripe_inbox": "the payment provider's events; the app role can insert by a function and read none",
    "billing_catalog": "prices at the payment provider; requests get them by functions only",
    "stripe_balance_lines": "lines of balances at the payment provider; the app role has no access",
    "findings": "differences from the payment provider, for staff; the app role has no access",
    "reconciliations": "runs of the comparison with the payment provider; the app role has no access",
    "ledger_kinds": "kinds of ledger accounts; the app role has no access",
    "ledger_rules": "permitted postings; the app role has no access",
    "ledger_accounts": "accounts of the platform and of users; requests read their own by functions only",
    "ledger_balances": "balances of accounts; requests read their own by functions only",
    "ledger_transactions": "posted events, which concern several users; requests read their own by functions only",
    "ledger_transfers": "entries between two accounts' owners; requests read their own by functions only",
    "ledger_holds": "reserved amounts; the app role has no access",
    "adjustments": "corrections by staff; the app role has no access",
    "sign_in_codes": "codes of people who are not signed in yet; the app role can create and use them by functions",
    "contact_messages": "messages to the staff; the app role can create them by a function and read none",
    "skill_categories": "the catalog, the same for every user; app role: read only",
    "skill_search_terms": "search terms of skills, the same for every user; app role: read only",
    "angel_services": "kinds of local help, the same for every user; app role: read only",
    "angel_listings": "the public list of angels, written by triggers; app role: who is on it, the rest by functions",
    "angel_cells": "numbers of listed angels per place, written by triggers; app role: read only",
    "phrases": "names of skills and searches, without their users; app role: words by functions only",
    "phrase_relations": "similarity of phrases, the same for every user; app role: by functions only",
    "phrase_vectors": "embeddings of phrases, the same for every user; app role: by functions only",
    "search_entries": "the search index of public pages; app role: by a function only",
    "search_entry_phrases": "phrases of the search index; app role: by a function only",
    "skill_offer_languages": "languages of public listings, written by triggers; requests read them by functions only",
    "swap_rings": "shared by three members, who reach it by functions through their own isolated rows",
    "risk_reviews": "activities to be rated, without their users; app role: hashes, levels, insert by a function",
    "waiver_heads": "the last link of each chain of waivers; app role: by functions only",
    "waiver_links": "signed hashes of waivers, without personal data; app role: by functions only",
}

# Privileges of the app role on shared tables. It has none on the others.
APP_GRANTS = {
    "daily_salts": {"SELECT", "INSERT"},
    "skill_categories": {"SELECT"},
    "skill_search_terms": {"SELECT"},
    "angel_services": {"SELECT"},
    "flag_settings": {"SELECT"},
    "risk_scores": {"SELECT"},
    "angel_cells": {"SELECT"},
}
# Columns of other shared tables that the app role reads: no words of people.
APP_COLUMNS = {
    "angel_listings": {"service_id", "angel_id"},
    "phrases": {"id", "related_by"},
    "risk_reviews": {"digest", "level"},
}

# Tables with a unique constraint or index that does not begin with the tenant: their keys are globally unique, or the
# rows of all users are searched.
GLOBAL_UNIQUE = {
    "gurus": "a label is globally unique; the tenant's own row is isolated by id",
    "domains": "a domain is globally unique",
    "retired_labels": "a retired label is globally unique",
    "users": "an account of the identity provider is globally unique",
    "profiles": "a handle is globally unique",
    "profile_photos": "a photo is fetched by its id",
    "onboarding_photos": "a photo is fetched by its id",
    "sessions": "a cookie names its session before the user is known",
    "angels": "angels are searched among all users",
    "skill_offers": "offers are searched among all users",
    "skill_wants": "wants are searched among all users",
    "listing_photos": "a photo is fetched by its id",
    "swap_ring_members": "a ring is decided by the responses of its three members",
    "needs": "angels search the open needs of all users",
    "need_photos": "a photo is fetched by its id",
    "need_offers": "a need collects the offers of all users",
    "threads": "a thread is opened by its id, and a limit counts those that a person opened",
    "messages": "a limit counts the messages of their sender",
    "thread_members": "a job emails what is unread, and shows what was held back, for all users",
    "blocks": "a block works both ways",
    "message_files": "a file is fetched by its id, and a job deletes unused uploads of all users",
    "exchanges": "no teacher has two sessions at once, with whomever, and a job ends those of all users that are due",
    "payments": "the payment provider names what was paid together, and a job sends what all gurus earned",
    "refunds": "the payment provider names a refund by its id",
    "invoices": "a person lists the invoices of all gurus",
    "session_disputes": "a dispute at the payment provider is globally unique, and staff list those of all gurus",
    "risk_review_requests": "staff read the requests of all gurus about one activity; each is about a service",
    "porch_lights": "visitors see the lights of all users",
    "email_settings": "a link in an email names its settings before the person is known",
    "domain_sessions": "a login handoff or a cookie of a custom domain names its session before the user is known",
    "documents": "staff list pending documents and a job expires them, for all users; unique per user",
    "document_files": "a job deletes unused uploads of all users; unique per user",
    "payout_accounts": "an account of the payment provider is globally unique",
    "subscriptions": "a subscription at the payment provider is globally unique",
    "billing_customers": "a customer at the payment provider is globally unique",
    "plan_checkouts": "a checkout session at the payment provider is globally unique",
    "plan_invoices": "an invoice at the payment provider is globally unique",
    "plan_disputes": "a dispute at the payment provider is globally unique, and staff list those of all users",
    "memberships": "a user owns at most one guru",
    "reviews": "a job publishes what is revealed for all tenants, and staff list the reviews of all gurus",
    "busy_sources": "a job reads the sources of all tenants that are due",
    "calendar_feeds": "the secret of a feed names its user before they are known",
    "bookings": "a job ends expired holds of all tenants, and staff list the sessions of all gurus",
    "booking_emails": "a job queues the emails that are due for all tenants",
    "participants": "a job emails the links that are due for all tenants",
    "payouts": "an account has one open payout, and jobs find payouts by the provider's id and by state",
}

# Tables that SECURITY DEFINER functions and OWNER_VIEWS read as the owner role, across tenants. Each needs a reason.
OWNER_READABLE = {
    "bookings": "a person has bookings with several gurus: only those of the current user",
    "gurus": "a label is looked up before the tenant is known",
    "domains": "a domain is looked up before the tenant is known",
    "retired_labels": "a former label is looked up before the tenant is known",
    "users": "an account is looked up before the user is known",
    "user_locations": "matches are ranked by approximate distance",
    "skill_offers": "public offers are found by every user",
    "skill_wants": "public wants are matched with offers",
    "listing_photos": "photos of public offers are public",
    "swap_ring_members": "a member of a ring sees the other two",
    "calendar_feeds": "the secret of a feed is looked up before its user is known",
    "saved_searches": "a job runs the saved searches of all users",
    "profiles": "public profiles are readable by every user",
    "profile_photos": "a photo is public by its id",
    "onboarding_photos": "a photo is public by its id",
    "sessions": "a cookie is looked up before the user is known",
    "angels": "users see the angels who offer help, with approximate locations",
    "needs": "angels see the needs near them, with approximate locations",
    "need_photos": "users who can see a need can see its photos",
    "need_notices": "the job that notifies angels skips those who were notified",
    "need_offers": "the owner of a need sees its offers",
    "threads": "the two people of a thread see each other's names",
    "messages": "whether a message was sent before, and how many were, decides on a delivery",
    "inboxes": "a delivery changes the inboxes of both people",
    "thread_members": "whether the other person muted a thread decides on emails about it",
    "blocks": "neither of two people sees the other after a block",
    "message_files": "the two people of a thread see its files",
    "exchanges": "what a teacher agreed on with others decides whether a time is free",
    "leads": "a guru writes to the signed-in neighbor who left a lead",
    "lead_addresses": "only the address that a neighbor confirmed leads to their account",
    "porch_lights": "visitors see who is free this evening, with approximate locations",
    "email_settings": "a link in an email reads and changes the settings of its person; jobs ask what people want",
    "domain_sessions": "a login handoff and a cookie of a custom domain are looked up before the user is known",
    "memberships": "a user's guru is looked up before the tenant is known",
    "documents": "a guru's listed categories depend on the status of their documents",
    "document_reminders": "the job that expires documents finds the reminders that are due",
    "onboardings": "whether a user is ready to publish is checked before their guru is created",
    "category_picks": "whether a user is ready to publish is checked before their guru is created",
    "payouts": "the instant payouts of all users count toward the platform's limit",
    "payout_accounts": "whether a user is ready to publish is checked before their guru is created",
    "plan_grants": "a site follows the plan of its owner",
    "billing_customers": "a purchase names its user as the payment provider's customer",
    "plan_checkouts": "the service role opens the checkout that waited for its customer",
    "plan_changes": "the service role continues a change that waited for another one",
    "plan_invoices": "whether a refund is on its way decides whether an account can be deleted",
    "plan_disputes": "whether a dispute is open decides whether an account can be deleted",
    "plan_notices": "the job that reminds of failed payments skips those who were reminded",
    "subscriptions": "a site follows the plan of its owner",
    "posts": "the front page shows the newest published posts of all gurus",
    "services": "a hold copies name, length and price of a service",
    "booking_settings": "a hold copies the terms of a service",
    "busy_times": "a hold compares its time with those of the guru's other calendars",
    "guru_flags": "no seats are offered while a guru's flag is off",
    "waitlist": "those who wait with a guru see their position",
    "reviews": "everyone reads published reviews, and gurus read what others wrote about those who ask them",
    "review_totals": "lists are ordered by the score of each guru",
    "packages": "a person gets the name and the service of a package",
    "package_grants": "a booking uses a package of its person, and a deleted account has packages of several gurus",
    "payments": "a booking is decided with its payment, also by the jobs of its guru",
    "refunds": "whether a refund is on its way decides whether an account can be deleted",
    "invoice_details": "an invoice of a person names its guru, in the function that issues it",
    "session_disputes": "whether a dispute is open decides whether an account can be deleted",
    "guru_waiver_texts": "a person who accepts a waiver reads the text of its guru",
}

# Views that read as the owner role, across tenants and users: only what the current user may see. Each needs a reason.
# They are barriers: no condition of a statement sees a row before the view's own conditions.
OWNER_VIEWS = {
    "current_waiver_texts": "a person who accepts a waiver reads the text of its guru",
    "helper_cards": "visitors read what angels and gurus with public profiles or sites offer",
    "own_swap_rings": "a member of a ring sees the other two",
    "received_offers": "the owner of a need reads the offers on it",
    "waitlist_positions": "those who wait see their own position",
    "own_reports": "a user reads the reports that they made",
    "own_waiver_gurus": "a user reads whom their waivers are for",
    "own_waiver_links": "a user reads the signatures of their waivers",
    "public_profiles": "visitors read public profiles, without what their owners hide",
    "public_listings": "visitors read visible listings, and whom they are of",
    "public_listing_photos": "visitors see the photos of visible listings",
    "angel_reviews": "visitors read the reviews of angels with public profiles",
    "neighbor_reviews": "a guru reads what others wrote about those who ask for a session",
    "premium_names": "lists show everyone who is a Premium Angel",
    "public_reviews": "visitors of a guru read the published reviews, without the private note",
    "public_page_words": "public pages are found by their words",
    "thread_people": "a person sees the other side of their threads",
    "visible_message_files": "a person sees the files of their threads",
    "blocked_people": "a person sees whom they blocked",
    "exchange_people": "a person sees the other side of their exchanges",
    "hidden_people": "neither of two people sees the other after a block; no role may read it",
    "shown_people": "names of people who take part in the same thing; no role may read it",
    "visible_needs": "angels read the needs near them, without their places",
    "visible_need_photos": "users who can see a need can see its photos",
}

# Tables that SECURITY DEFINER functions write as the owner role. The functions set the tenant or user themselves.
OWNER_WRITABLE = {
    "gurus": "functions that check the owner create, rename and unpublish gurus",
    "memberships": "the user who publishes a guru owns it",
    "retired_labels": "renaming a guru retires a label",
    "angels": "a job counts the completed needs of an angel, and requests cannot",
    "skill_offers": "the words of a deleted account are erased with it",
    "skill_wants": "the words of a deleted account are erased with it",
    "user_locations": "jobs request and finish the search for swap rings around a user",
    "swap_ring_members": "a job proposes a swap ring to its three members",
    "email_settings": "a link in an email changes the settings of its person, and jobs create its token",
    "calendars": "holding a seat locks the calendar and gives it a new version",
    "appointments": "holding a seat creates the appointment and counts its seats",
    "bookings": "a visitor without an account can hold a seat, and take it over after signing up",
    "booking_events": "a visitor's hold has a history",
    "booking_emails": "each change of a booking queues its emails",
    "client_notes": "deleted accounts leave no notes of gurus about them",
    "reviews": "the second review of a session reveals the first, which its author cannot see",
    "waitlist": "a free seat is offered to the first who waits, and deleted accounts leave",
    "package_grants": "a booking uses a session of a package, and deleted accounts leave no names",
    "payments": "a booking and its payment are stored together, by one function",
    "refunds": "a refund, what it reserves and its write are stored together, by one function",
    "invoices": "the next number of a guru and its invoice are stored together, by one function",
    "session_disputes": "an answer to a dispute and its write are stored together, by one function",
    "package_events": "a package passes to the account that claims it, and deleted accounts leave no words",
    "participants": "someone without an account signs a waiver, and deleted accounts leave no names",
    "waivers": "a waiver and its signed link are stored together, by one function",
    "plan_grants": "a deleted account loses its granted plans",
    "subscriptions": "a deleted account's cards are forgotten",
    "billing_customers": "a purchase names its user as the payment provider's customer",
    "plan_checkouts": "a user has one open checkout, and its write is created with it",
    "plan_changes": "a user has one open change, and its write is created with it",
    "payouts": "a payout, its hold and its write are stored together, by one function",
    "payout_accounts": "a deleted account loses its bank accounts and cards",
    "contact_views": "no view of an emergency contact is left out of the log",
    "threads": "a delivery creates and numbers the thread of two people",
    "messages": "a delivery gives each message the next number of its thread and of both inboxes",
    "inboxes": "a delivery changes the inboxes of both people",
    "thread_members": "a delivery counts what is unread for the other person",
    "exchanges": "the two people change their session by decided steps only, and deleted accounts leave no words",
    "message_files": "a delivery attaches the sender's files, and deleted accounts leave none",
}

# Tables of a tenant that only the tenant itself sees: the setting of visitors, `app.tenant_id`, does not open them.
ACTING_TABLES = {
    "busy_sources": "the encrypted addresses and passwords of the guru's other calendars",
    "client_notes": "what the guru noted about the people who book; staff don't see it either",
    "invoice_details": "the guru's legal name, home address and tax id; an issued invoice shows them to its person",
    "session_disputes": "what banks ask the guru, and the guru's answers; the person who disputes sees none of it",
}

# Restrictive policies that keep decisions of staff, jobs and the payment provider out of requests.
DECISION_POLICIES = {
    "documents": {"submitted", "lapsed"},
    "document_events": {"undecided"},
    "payout_accounts": {"created", "replaced"},
    "reviews": {"blind", "replies"},
}

# The restrictive policy of tables in which a row stays hidden from the other party until it is revealed. It has this
# text, for all commands: without it, a party would see the row, or count it.
BLIND_ROWS = {
    "reviews": (
        "((reveals_at <= app.now()) OR ((side = 'person'::text) AND (person_id = app.user_id())) OR"
        " ((side = 'guru'::text) AND (tenant_id = app.acting_tenant_id())))"
    ),
}

# The policy of tables with two parties, which have `tenant_id` and `person_id`. `app.tenant_id()` is set for every
# visitor of a guru's site, so it must not open them.
PARTY_ROWS = "((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()))"
# The policy of tables with two people, which have `person_a_id` and `person_b_id`: only they see a row.
PAIR_ROWS = "((app.user_id() = person_a_id) OR (app.user_id() = person_b_id))"

_TABLES = """
SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped),
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped),
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'person_id' AND NOT a.attisdropped),
       2 = (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
               AND a.attname IN ('person_a_id', 'person_b_id'))
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
SELECT c.relname, coalesce(c.reloptions::text[] && ARRAY['security_invoker=true', 'security_invoker=on'], false),
       coalesce(c.reloptions::text[] && ARRAY['security_barrier=true', 'security_barrier=on'], false),
       (SELECT array_agg(DISTINCT g.privilege_type) FROM aclexplode(c.relacl) g
          LEFT JOIN pg_roles r ON r.oid = g.grantee WHERE g.grantee = 0 OR r.rolname = %(app)s)
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v'
"""
_MATERIALIZED = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('m', 'f')"
_OTHER_SCHEMAS = """
SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
   AND n.nspname NOT IN ('public', 'jobs', 'pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
"""
_DEFINER_FUNCTIONS = """
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
                   JOIN pg_roles r ON r.oid = g.grantee WHERE r.rolname = %(overseer)s), false),
       (SELECT array_agg(DISTINCT CASE g.privilege_type WHEN 'SELECT' THEN a.attname::text
                                  ELSE g.privilege_type || ' of ' || a.attname END)
          FROM pg_attribute a CROSS JOIN LATERAL aclexplode(a.attacl) g
          LEFT JOIN pg_roles r ON r.oid = g.grantee
         WHERE a.attrelid = c.oid AND (g.grantee = 0 OR r.rolname = %(app)s))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname IN ('public', 'jobs') AND c.relkind IN ('r', 'p')
"""


def rls_catalog_errors(dsn: str) -> list[str]:  # noqa: C901 - one rule per branch
    """Return the gaps in tenant isolation of the database at `dsn`, each as a sentence that says how to fix it."""
    with psycopg.connect(dsn) as conn:
        tables = conn.execute(_TABLES).fetchall()
        policies = conn.execute(_POLICIES).fetchall()
        indexes = conn.execute(_INDEXES).fetchall()
        foreign_keys = conn.execute(_FOREIGN_KEYS).fetchall()
        views = conn.execute(_VIEWS, {"app": APP_ROLE}).fetchall()
        materialized = conn.execute(_MATERIALIZED).fetchall()
        misplaced = conn.execute(_OTHER_SCHEMAS).fetchall()
        functions = conn.execute(_DEFINER_FUNCTIONS).fetchall()
        grants = conn.execute(_GRANTS, {"app": APP_ROLE, "overseer": SERVICE_ROLE}).fetchall()
    errors: list[str] = []
    isolated: dict[str, str] = {}  # tables and their key
    parties: set[str] = set()  # tables whose rows belong to a tenant and a person
    pairs: set[str] = set()  # tables whose rows belong to two people
    for name, is_enabled, is_forced, has_tenant_id, has_user_id, has_person_id, has_pair in tables:
        if name in SHARED_TABLES:
            continue
        key = "id" if name == "gurus" else "tenant_id" if has_tenant_id else "user_id" if has_user_id else ""
        if has_pair and not key:
            key = "person_a_id"
            pairs.add(name)
            if not any(table == name and first == "person_b_id" for table, _, first in indexes):
                errors.append(f"{name}: no index begins with person_b_id, by which that person reads their rows.")
        if not key:
            errors.append(f"{name}: no tenant_id or user_id; add one, or list it in SHARED_TABLES with a reason.")
            continue
        isolated[name] = key
        if has_tenant_id and has_person_id:
            parties.add(name)
            if not any(table == name and first == "person_id" for table, _, first in indexes):
                errors.append(f"{name}: no index begins with person_id, by which a person reads their rows.")
        if not (is_enabled and is_forced):
            errors.append(
                f"{name}: row level security is not forced; copy another table's statements in db/schema.sql."
            )
        errors += _policy_errors(
            name, key, [policy for table, *policy in policies if table == name], has_parties=name in parties
        )
    for table, index, first in indexes:
        if (table in parties and first == "person_id") or (table in pairs and first == "person_b_id"):
            continue
        if table in isolated and table not in GLOBAL_UNIQUE and first != isolated[table]:
            errors.append(f"{table}: the index {index} begins with {first}, not with {isolated[table]}.")
    for table, constraint, target, first, target_first in foreign_keys:
        crosses = target in isolated and (first != isolated.get(table) or target_first != isolated[target])
        if table in isolated and crosses and table not in GLOBAL_UNIQUE:
            errors.append(f"{table}: the foreign key {constraint} crosses tenants; begin it with {isolated[table]}.")
    for view, is_invoker, is_barrier, privileges in views:
        if not is_invoker and not (is_barrier and view in OWNER_VIEWS):
            errors.append(f"{view}: a view must be security_invoker, or a security_barrier in OWNER_VIEWS.")
        if not is_invoker and set(privileges or ()) - {"SELECT"}:
            errors.append(f"{view}: {APP_ROLE} may write through a view of the owner; REVOKE it.")
    errors += [f"{name}: a materialized view or foreign table has no row level security." for (name,) in materialized]
    errors += [f"{name}: move the table to the schema public, where isolation is checked." for (name,) in misplaced]
    for name, has_search_path, is_public in functions:
        if not has_search_path:
            errors.append(f"{name}: a SECURITY DEFINER function must set its search_path.")
        if is_public:
            errors.append(f"{name}: every role can call this SECURITY DEFINER function; REVOKE it from PUBLIC.")
    return errors + _grant_errors(isolated, grants)


def _policy_errors(table: str, key: str, policies: Sequence[Columns], *, has_parties: bool) -> list[str]:
    setting = "user_id" if key == "user_id" else "acting_tenant_id" if table in ACTING_TABLES else "tenant_id"
    own_rows = PAIR_ROWS if key == "person_a_id" else f"({key} = app.{setting}())"
    app_rows = PARTY_ROWS if has_parties else own_rows
    # The functions of the owner set the tenant, also where the tenant itself has to act.
    owner_rows = f"({key} = app.tenant_id())" if table in ACTING_TABLES else own_rows
    errors: list[str] = []
    has_policy = {APP_ROLE: False, SERVICE_ROLE: False, OWNER_ROLE: table not in OWNER_READABLE}
    is_writable = table not in OWNER_WRITABLE
    for name, roles, command, permissive, qual, check in policies:
        if permissive != "PERMISSIVE":
            continue  # a restrictive policy only removes access
        if roles == [APP_ROLE] and command == "ALL" and qual == app_rows and check == app_rows:
            has_policy[APP_ROLE] = True
        elif roles == [SERVICE_ROLE] and command == "ALL" and qual == "true" and check == "true":
            has_policy[SERVICE_ROLE] = True
        elif roles == [OWNER_ROLE] and command == "SELECT" and table in OWNER_READABLE:
            has_policy[OWNER_ROLE] = True
        elif (
            roles == [OWNER_ROLE]
            and command == "ALL"
            and table in OWNER_WRITABLE
            and qual == owner_rows
            and check == owner_rows
        ):
            is_writable = True
        else:
            errors.append(f"{table}: the policy {name} lets {', '.join(roles)} cross tenants ({command} {qual}).")
    errors += [
        f"{table}: no policy for {role}; copy another table's statements in db/schema.sql."
        for role in has_policy
        if not has_policy[role]
    ]
    if table in BLIND_ROWS and not any(
        (name, roles, command, permissive, qual, check or qual)
        == ("blind", [APP_ROLE], "ALL", "RESTRICTIVE", BLIND_ROWS[table], BLIND_ROWS[table])
        for name, roles, command, permissive, qual, check in policies
    ):
        errors.append(f"{table}: the policy blind does not hide rows from the other party until they are revealed.")
    restrictive = {name for name, _, _, permissive, _, _ in policies if permissive != "PERMISSIVE"}
    errors += [
        f"{table}: no restrictive policy {name}: a request could decide what only others may."
        for name in sorted(DECISION_POLICIES.get(table, set()) - restrictive)
    ]
    if not is_writable:
        errors.append(f"{table}: listed in OWNER_WRITABLE, but without the policy `founding` for the owner role.")
    return errors


def _grant_errors(
    isolated: dict[str, str], grants: list[tuple[str, str, list[str] | None, bool, list[str] | None]]
) -> list[str]:
    errors: list[str] = []
    for schema, table, app_privileges, service_can_read, app_columns in grants:
        row_privileges = {"SELECT", "INSERT", "UPDATE", "DELETE"}
        allowed = row_privileges if table in isolated else APP_GRANTS.get(table, set())
        if schema != "public":
            allowed = set()
        elif table in isolated and not service_can_read:
            errors.append(f"{table}: {SERVICE_ROLE} cannot read it; copy another table's statements in db/schema.sql.")
        if table not in isolated and (columns := set(app_columns or ()) - APP_COLUMNS.get(table, set())):
            errors.append(f"{table}: {APP_ROLE} has {', '.join(sorted(columns))}, which no request needs; REVOKE it.")
        if excess := set(app_privileges or ()) - allowed:
            errors.append(f"{table}: {APP_ROLE} has {', '.join(sorted(excess))}, which no request needs; REVOKE it.")
    return errors
