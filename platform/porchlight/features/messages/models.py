"""Tables of messages: threads of two people, their messages, and what each of the two sees of them.

`threads` and `messages` belong to two people, `person_a_id < person_b_id`. There is no foreign key to the people or
the guru: the one who stays keeps a thread after the other's account is gone.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import PRIVATE, UserOwned
from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base


class Thread(Base):
    """A conversation of two people, or of a customer and a guru's site. `number`: of its last message."""

    __tablename__ = "threads"
    __table_args__ = (
        UniqueConstraint("person_a_id", "person_b_id", "guru_id", postgresql_nulls_not_distinct=True),
        CheckConstraint("person_a_id < person_b_id", name="people"),
        CheckConstraint("opened_by IN (person_a_id, person_b_id)", name="opened_by"),
        Index("ix_threads_person_b_id", "person_b_id"),
        Index("ix_threads_id", "id", unique=True),
        Index("ix_threads_opened_by_created_at", "opened_by", "created_at"),
    )

    person_a_id: Mapped[UUID] = mapped_column(primary_key=True)
    person_b_id: Mapped[UUID]
    id: Mapped[UUID] = mapped_column(primary_key=True)
    guru_id: Mapped[UUID | None]
    number: Mapped[int] = mapped_column(server_default="0")
    opened_by: Mapped[UUID]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class Message(Base):
    """A message. `change_a` and `change_b`: the change of each person's inbox that brought it, or last changed it.

    `files`: what people see of its files. A removed message has neither words nor files.
    """

    __tablename__ = "messages"
    __table_args__ = (
        ForeignKeyConstraint(["person_a_id", "thread_id"], ["threads.person_a_id", "threads.id"], ondelete="CASCADE"),
        UniqueConstraint("person_a_id", "thread_id", "sender_id", "idempotency_key"),
        CheckConstraint("sender_id IN (person_a_id, person_b_id)", name="sender"),
        CheckConstraint("mail_check IN ('', 'verified', 'unknown')", name="mail_check"),
        CheckConstraint("removed_at IS NULL OR (body = '' AND files = '[]')", name="removed"),
        Index("ix_messages_person_a_id_change_a", "person_a_id", "change_a"),
        Index("ix_messages_person_b_id_change_b", "person_b_id", "change_b"),
        Index("ix_messages_sender_id_created_at", "sender_id", "created_at"),
    )

    person_a_id: Mapped[UUID] = mapped_column(primary_key=True)
    person_b_id: Mapped[UUID] = mapped_column(info=PRIVATE)
    thread_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[UUID]
    sender_id: Mapped[UUID]
    body: Mapped[str]
    files: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    change_a: Mapped[int] = mapped_column(BigInteger, info=PRIVATE)
    change_b: Mapped[int] = mapped_column(BigInteger, info=PRIVATE)
    idempotency_key: Mapped[str] = mapped_column(info=PRIVATE)
    digest: Mapped[bytes] = mapped_column(LargeBinary, info=PRIVATE)
    mail_check: Mapped[str] = mapped_column(server_default="", info=PRIVATE)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    removed_at: Mapped[datetime | None]


class Inbox(UserOwned, Base):
    """The number of the last change that a person's clients have to learn of, and how many messages are unread."""

    __tablename__ = "inboxes"
    __table_args__ = (CheckConstraint("unread >= 0", name="unread"), {"info": DELETED_WITH_ACCOUNT})

    change: Mapped[int] = mapped_column(BigInteger, server_default="0")
    unread: Mapped[int] = mapped_column(server_default="0")


class ThreadMember(UserOwned, Base):
    """The state of a thread for one person. `side`: theirs. `change`: of their inbox, when the thread last changed.

    `request`: someone new wrote, and the person has not answered. `held_until`: it does not count as unread until then.
    `mail_due_at`: when an email about what is unread is due; `mailed_at`: when the last one was. `reply_token`: of the
    address to which the person can answer by email.
    """

    __tablename__ = "thread_members"
    __table_args__ = (
        CheckConstraint("side IN ('person', 'guru')", name="side"),
        CheckConstraint("unread >= 0", name="unread"),
        Index("ix_thread_members_user_id_last_at", "user_id", "last_at", "thread_id"),
        Index("ix_thread_members_user_id_change", "user_id", "change"),
        Index("ix_thread_members_mail_due_at", "mail_due_at", postgresql_where=text("mail_due_at IS NOT NULL")),
        Index("ix_thread_members_held_until", "held_until", postgresql_where=text("held_until IS NOT NULL")),
        {"info": DELETED_WITH_ACCOUNT},
    )

    thread_id: Mapped[UUID] = mapped_column(primary_key=True)
    other_id: Mapped[UUID]
    side: Mapped[str]
    read_number: Mapped[int] = mapped_column(server_default="0")
    unread: Mapped[int] = mapped_column(server_default="0")
    change: Mapped[int] = mapped_column(BigInteger)
    muted: Mapped[bool] = mapped_column(server_default=text("false"))
    archived: Mapped[bool] = mapped_column(server_default=text("false"))
    request: Mapped[bool] = mapped_column(server_default=text("false"))
    held_until: Mapped[datetime | None]
    mail_due_at: Mapped[datetime | None]
    mailed_at: Mapped[datetime | None]
    reply_token: Mapped[UUID] = mapped_column(server_default=func.gen_random_uuid(), unique=True, info=PRIVATE)
    last_at: Mapped[datetime]


class MessageFile(UserOwned, Base):
    """A file of its sender. `key`: its secret name in the file store; `kind`: its media type.

    The row is inserted before the file is stored; `stored_at` is set afterwards. Files without a message are deleted
    after a day.
    """

    __tablename__ = "message_files"
    __table_args__ = (
        Index("ix_message_files_created_at", "created_at", postgresql_where=text("thread_id IS NULL")),
        Index("ix_message_files_user_id_thread_id", "user_id", "thread_id", "number"),
        {"info": DELETED_WITH_ACCOUNT},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True)
    key: Mapped[str] = mapped_column(info={"private": True, "kept": True})
    name: Mapped[str]
    kind: Mapped[str] = mapped_column(server_default="")
    size: Mapped[int] = mapped_column(BigInteger, server_default="0")
    width: Mapped[int] = mapped_column(server_default="0")
    height: Mapped[int] = mapped_column(server_default="0")
    thumbnail: Mapped[bytes | None] = mapped_column(LargeBinary, info=PRIVATE)
    thread_id: Mapped[UUID | None]
    number: Mapped[int] = mapped_column(server_default="0")
    stored_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
