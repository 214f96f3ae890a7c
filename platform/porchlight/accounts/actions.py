"""What people do with their accounts. Each works inside the unit of work of its user."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.accounts.handles import handle_for
from porchlight.accounts.models import DomainSession, Photo, Profile, Session, User
from porchlight.accounts.queries import found_user, photo_url
from porchlight.accounts.schemas import OWN_PHOTOS, ProfilePayload, RegisterPayload, SkillPayload, Skills
from porchlight.ports import Claims
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import Conflict, NotFound, Unauthenticated, ValidationFailed
from tenants.kit.ids import new_id
from tenants.models import Base
from tenants.session import unit_of_work

SESSION_LIFE = timedelta(days=14)
PASS_LIFE = timedelta(seconds=60)
PASSES_EACH = 20  # custom domains where one browser may be signed in at a time; the oldest goes
SESSIONS_EACH = 30  # living sessions a user may have; the oldest goes
ENDED_EACH = 100  # sign-ins ended one by one that are remembered
ERASE_TASK = "erase_identity"
REVOKE_TASK = "revoke_identity"
WELCOME_TASK = "welcome"
FAREWELL_TASK = "farewell"
SEEN_EVERY = timedelta(minutes=5)  # how exactly it is known when a session was last seen
_HANDLES_TRIED = 5
_ENQUEUE = text("SELECT app.enqueue(:task, jsonb_build_object('uid', CAST(:uid AS text)), NULL)")
_WELCOME = text("SELECT app.enqueue(:task, jsonb_build_object('user_id', CAST(:user_id AS text)), NULL)")
_FAREWELL = text("SELECT app.say_farewell(:id, :task)")


class HandleTaken(Conflict):
    """Somebody else has that handle."""

    code = "handle_taken"
    message = "This handle is taken. Please choose another."


async def meet(db: Database, claims: Claims) -> UUID:
    """The user id of somebody whose token we see for the first time: an account and an empty profile.

    Two requests that come at once make one account. Raises Unauthenticated when it was erased meanwhile.
    """
    user_id = new_id()
    async with unit_of_work(db, user_id=user_id) as session:
        made = await session.scalar(
            insert(User)
            .values(user_id=user_id, firebase_uid=claims.uid, email=claims.email, email_verified=claims.email_verified)
            .on_conflict_do_nothing(index_elements=[User.firebase_uid])
            .returning(User.user_id)
        )
        if made is not None:
            await _empty_profile(session, user_id, claims.name)
            return user_id
    found = await found_user(db, claims.uid)
    if found is None or found.status != "active":
        raise Unauthenticated
    return found.user_id


async def _empty_profile(session: AsyncSession, user_id: UUID, name: str) -> None:
    name = name[:120]
    for tried in range(_HANDLES_TRIED):
        made = await session.scalar(
            insert(Profile)
            .values(user_id=user_id, handle=handle_for(name, plain=tried == 0), display_name=name)
            .on_conflict_do_nothing(index_elements=[Profile.handle])
            .returning(Profile.user_id)
        )
        if made is not None:
            return
    raise Conflict


async def remember_email(session: AsyncSession, user_id: UUID, email: str, verified: bool) -> None:
    """Keep what a fresh token says of the person's e-mail address."""
    await session.execute(
        update(User)
        .where(User.user_id == user_id, (User.email != email) | (User.email_verified != verified))
        .values(email=email, email_verified=verified, updated_at=clock.now())
    )


async def open_session(
    session: AsyncSession,
    user_id: UUID,
    *,
    secret_hash: bytes,
    authenticated_at: datetime,
    token_issued_at: datetime,
    user_agent: str,
    renewing: UUID | None = None,
) -> None:
    """Open a cookie session for SESSION_LIFE. Past SESSIONS_EACH, the oldest of the user's end.

    `renewing`: the user's session that this browser has. It goes on under the new secret, and the old one is worth
    nothing; so what hangs on it (the sessions of custom domains) goes on too.
    """
    now = clock.now()
    values = {
        "secret_hash": secret_hash,
        "authenticated_at": authenticated_at,
        "token_issued_at": token_issued_at,
        "user_agent": user_agent,
        "expires_at": now + SESSION_LIFE,
    }
    if renewing is not None:
        own = (Session.user_id == user_id, Session.id == renewing)
        renewed = update(Session).where(*own).values(values | {"last_seen_at": now}).returning(Session.id)
        if await session.scalar(renewed) is not None:
            return
    await session.execute(insert(Session).values(values | {"user_id": user_id, "id": new_id(), "created_at": now}))
    kept = select(Session.id).where(Session.user_id == user_id).order_by(Session.id.desc()).limit(SESSIONS_EACH)
    await session.execute(
        delete(Session).where(
            Session.user_id == user_id, (Session.expires_at < now) | Session.id.not_in(kept.scalar_subquery())
        )
    )


def new_secret() -> str:
    """The value of a new session cookie, or of a pass."""
    return secrets.token_urlsafe(32)


async def issue_pass(
    session: AsyncSession, user_id: UUID, session_id: UUID, domain: str, *, pass_hash: bytes, browser_hash: bytes
) -> None:
    """Make a pass into a guru's own domain, for one browser, that one use turns into a session of that domain.

    Raises Unauthenticated when the session it hangs on has ended meanwhile. A session has PASSES_EACH at most.
    """
    own = (DomainSession.user_id == user_id, DomainSession.session_id == session_id)
    latest = select(DomainSession.id).where(*own).order_by(DomainSession.id.desc()).limit(PASSES_EACH - 1)
    stale = DomainSession.pass_hash.is_not(None) & (DomainSession.created_at < clock.now() - PASS_LIFE)
    await session.execute(delete(DomainSession).where(*own, stale | DomainSession.id.not_in(latest.scalar_subquery())))
    made = insert(DomainSession).values(
        user_id=user_id,
        id=new_id(),
        session_id=session_id,
        domain=domain,
        pass_hash=pass_hash,
        browser_hash=browser_hash,
    )
    try:
        async with session.begin_nested():
            await session.execute(made)
    except IntegrityError as ended:
        raise Unauthenticated from ended


async def use_pass(session: AsyncSession, user_id: UUID, pass_id: UUID, secret_hash: bytes) -> bool:
    """Turn a pass into the session of its domain. False when another request was quicker: a pass is good once."""
    used = await session.scalar(
        update(DomainSession)
        .where(DomainSession.user_id == user_id, DomainSession.id == pass_id, DomainSession.pass_hash.is_not(None))
        .values(pass_hash=None, secret_hash=secret_hash)
        .returning(DomainSession.id)
    )
    return used is not None


async def see_session(session: AsyncSession, user_id: UUID, secret_hash: bytes) -> None:
    """Remember that the session of this cookie, if it is one of the user's, is in use now."""
    now = clock.now()
    await session.execute(
        update(Session)
        .where(Session.user_id == user_id, Session.secret_hash == secret_hash, Session.last_seen_at < now - SEEN_EVERY)
        .values(last_seen_at=now)
    )


async def ask_for_email(session: AsyncSession, user_id: UUID) -> None:
    """Remember that the user is about to change their address, so that we follow when the identity service has it."""
    await session.execute(update(User).where(User.user_id == user_id).values(email_change_asked_at=clock.now()))


async def end_session(session: AsyncSession, user_id: UUID, session_id: UUID) -> None:
    """End one of the user's sessions. Raises NotFound for what is none of theirs."""
    ended = await session.scalar(
        delete(Session).where(Session.user_id == user_id, Session.id == session_id).returning(Session.id)
    )
    if ended is None:
        raise NotFound


async def end_sign_in(session: AsyncSession, user_id: UUID, session_id: UUID, own: datetime) -> None:
    """End a session and the sign-in it came of, so that its browser does not open another one.

    `own`: the sign-in of who asks, which goes on. Raises NotFound for what is none of theirs.
    """
    ended = await session.scalar(
        delete(Session).where(Session.user_id == user_id, Session.id == session_id).returning(Session.authenticated_at)
    )
    if ended is None:
        raise NotFound
    if ended != own:
        known = func.array_prepend(ended, User.ended_sign_ins)
        # The latest are kept: a bound, since each is looked through with every token.
        latest = func.trim_array(known, func.greatest(0, func.cardinality(known) - ENDED_EACH))
        await session.execute(update(User).where(User.user_id == user_id).values(ended_sign_ins=latest))


async def end_all_sessions(session: AsyncSession, user_id: UUID) -> datetime:
    """End every sign-in of the user, tokens and cookies; the moment from which new sign-ins count.

    Tokens tell their sign-in in whole seconds, so the moment is the beginning of the next second: one from this very
    second is ended too.
    """
    moment = clock.now().replace(microsecond=0) + timedelta(seconds=1)
    await session.execute(update(User).where(User.user_id == user_id).values(signed_out_at=moment, ended_sign_ins=[]))
    await session.execute(delete(Session).where(Session.user_id == user_id))
    return moment


async def enqueue_for_identity(session: AsyncSession, task: str, firebase_uid: str) -> None:
    """Have the worker do `task` (ERASE_TASK, REVOKE_TASK) at the identity service."""
    await session.execute(_ENQUEUE, {"task": task, "uid": firebase_uid})


def _stored_skills(skills: Skills) -> list[dict[str, Any]]:
    """Skills as they are stored: each name once, the first spelling wins."""
    found: dict[str, dict[str, Any]] = {}
    for skill in skills:
        name, level = (skill.name, skill.level) if isinstance(skill, SkillPayload) else (skill, None)
        found.setdefault(name.casefold(), {"name": name, "level": level})
    return list(found.values())


async def register(session: AsyncSession, user_id: UUID, sent: RegisterPayload, *, name: str, picture: str) -> bool:
    """Fill in the profile of a new account, once. True for the first time; later ones change nothing (SPEC 7.2).

    `name` and `picture` are the identity service's, for what the client left out.
    """
    now = clock.now()
    display_name = sent.display_name or f"{sent.first_name} {sent.last_name}".strip() or name[:120]
    location = sent.location or ""
    filled = await session.scalar(
        update(Profile)
        .where(Profile.user_id == user_id, Profile.registered_at.is_(None))
        .values(
            first_name=sent.first_name,
            last_name=sent.last_name,
            display_name=display_name,
            # A street is not for others to see; what is no city stays away rather than failing a sign-up.
            location="" if any(character.isdigit() for character in location) else location,
            photo_url=_elsewhere(sent.photo_url or "") or _elsewhere(picture),
            skills_offered=_stored_skills(sent.skills.offered),
            skills_wanted=_stored_skills(sent.skills.wanted),
            registered_at=now,
            updated_at=now,
        )
        .returning(Profile.user_id)
    )
    if filled is None:
        return False
    await _name_handle(session, user_id, display_name)
    await session.execute(_WELCOME, {"task": WELCOME_TASK, "user_id": str(user_id)})
    return True


async def _name_handle(session: AsyncSession, user_id: UUID, name: str) -> None:
    """Give the account a handle after its name, if one is free: it was made before the name was known."""
    for plain in (True, False):
        try:
            async with session.begin_nested():
                await session.execute(
                    update(Profile).where(Profile.user_id == user_id).values(handle=handle_for(name, plain=plain))
                )
            return
        except IntegrityError:
            continue


def _elsewhere(url: str) -> str:
    return url if url.startswith("https://") and len(url) <= 2000 else ""


async def update_profile(session: AsyncSession, user_id: UUID, sent: ProfilePayload, *, email: str) -> None:
    """Change what was sent of one's own profile; the rest stays. Raises ValidationFailed, HandleTaken."""
    if sent.email is not None and sent.email.lower() != email:
        raise ValidationFailed(fields={"email": "Please change your email address in the account settings."})
    named = sent.model_fields_set
    values: dict[str, Any] = {}
    for name in ("first_name", "last_name", "display_name", "bio", "location", "availability", "languages", "handle"):
        value = getattr(sent, name)
        if name in named and value is not None:
            values[name] = value
    if "photo_url" in named and not (sent.photo_url or "").startswith(OWN_PHOTOS):
        values["photo_url"] = sent.photo_url or ""
        values["photo_id"] = None
        await session.execute(delete(Photo).where(Photo.user_id == user_id))
    if sent.skills is not None:
        skills = sent.skills.model_fields_set
        if "offered" in skills:
            values["skills_offered"] = _stored_skills(sent.skills.offered)
        if "wanted" in skills:
            values["skills_wanted"] = _stored_skills(sent.skills.wanted)
    if sent.privacy is not None:
        columns = {
            "is_public": sent.privacy.public_profile,
            "shows_location": sent.privacy.show_location,
            "shows_skills": sent.privacy.show_skills,
            "shows_availability": sent.privacy.show_availability,
        }
        values |= {name: value for name, value in columns.items() if value is not None}
    now = clock.now()
    values |= {"updated_at": now, "registered_at": func.coalesce(Profile.registered_at, now)}
    try:
        async with session.begin_nested():  # a taken handle must not spoil the transaction
            changed = await session.scalar(
                update(Profile).where(Profile.user_id == user_id).values(values).returning(Profile.user_id)
            )
    except IntegrityError as taken:
        raise HandleTaken(fields={"handle": HandleTaken.message}) from taken
    if changed is None:
        raise NotFound


async def set_photo(session: AsyncSession, user_id: UUID, body: bytes | None) -> str:
    """Replace one's photo by `body` (WebP, drawn anew by us), or remove it with None. Its new address, or ""."""
    await session.execute(delete(Photo).where(Photo.user_id == user_id))
    photo_id = None
    if body is not None:
        photo_id = new_id()
        await session.execute(insert(Photo).values(user_id=user_id, id=photo_id, body=body))
    await session.execute(
        update(Profile)
        .where(Profile.user_id == user_id)
        .values(photo_id=photo_id, photo_url="", updated_at=clock.now())
    )
    return photo_url(photo_id, "")


async def erase(session: AsyncSession, user_id: UUID, firebase_uid: str) -> None:
    """Erase an account: profile, photo, sessions, e-mail address, and what features marked to go with them; by jobs a
    last mail and the account that signs in.

    What stays is a mark without personal data, so that an ID token that is good for another hour brings nothing back.
    """
    await session.execute(_FAREWELL, {"id": new_id(), "task": FAREWELL_TASK})
    for model in (Photo, Session, Profile):
        await session.execute(delete(model).where(model.user_id == user_id))
    for table in reversed(Base.metadata.sorted_tables):
        if table.info.get("goes_with_account"):
            await session.execute(table.delete().where(table.c.user_id == user_id))
    now = clock.now()
    await session.execute(
        update(User)
        .where(User.user_id == user_id)
        .values(
            status="erased",
            email="",
            email_verified=False,
            email_change_asked_at=None,
            signed_out_at=now,
            updated_at=now,
        )
    )
    await enqueue_for_identity(session, ERASE_TASK, firebase_uid)
