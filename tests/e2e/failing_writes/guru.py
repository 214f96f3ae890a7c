"""The writes of gurus in their console."""

from __future__ import annotations

import re

from tests.e2e.failing_writes.steps import Write, choose, fill, named, press

_CONSOLE = "main-web/features/console"
_LEAD = "SELECT t.id::text FROM leads t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking' LIMIT 1"
_DELETE = re.compile("^Delete “")

GURU = (
    Write(
        f"{_CONSOLE}/site/api/update-site",
        "PUT",
        "/guru/site",
        "guru",
        "/guru/site",
        named("Save changes"),
        (fill(re.compile("^Tagline"), "Bread for everyone, kept as typed"),),
    ),
    Write(f"{_CONSOLE}/posts/api/create-post", "POST", "/guru/posts", "guru", "/guru/posts", named("New post")),
    Write(
        f"{_CONSOLE}/posts/api/delete-post",
        "DELETE",
        "/guru/posts/[^/]+",
        "guru",
        "/guru/posts",
        named("Delete permanently"),
        (press(_DELETE),),
    ),
    Write(
        f"{_CONSOLE}/posts/api/unpublish-post",
        "DELETE",
        "/guru/posts/[^/]+/publication",
        "guru",
        "/guru/posts?standing=published",
        named(re.compile("^Unpublish “")),
    ),
    Write(
        f"{_CONSOLE}/services/api/save-service",
        "POST",
        "/guru/services",
        "guru",
        "/guru/services",
        named("Save service"),
        (
            press("Add a service"),
            fill("Name", "Bread in a day"),
            fill("Price ($)", "40"),
            choose("Length", value="minutes"),
            fill("Minutes", "90"),
        ),
    ),
    Write(
        f"{_CONSOLE}/services/api/save-service",
        "PUT",
        "/guru/services/[^/]+",
        "guru",
        "/guru/services",
        named("Save service"),
        (press(re.compile("^Edit ")), fill("Name", "Bread in two days")),
    ),
    Write(
        f"{_CONSOLE}/services/api/delete-service",
        "DELETE",
        "/guru/services/[^/]+",
        "guru",
        "/guru/services",
        named(re.compile("^Delete"), inside="[role=alertdialog]"),
        (press(re.compile("^Delete ")),),
    ),
    Write(
        f"{_CONSOLE}/services/api/update-service-order",
        "PUT",
        "/guru/service-order",
        "guru",
        "/guru/services",
        named(re.compile("^Move .+ down$")),
    ),
    Write(
        f"{_CONSOLE}/leads/api/reply-to-lead",
        "POST",
        "/guru/leads/[^/]+/answers",
        "guru",
        "/guru/leads/{}",
        named("Send reply"),
        (fill(re.compile("^Your reply to"), "Gladly, on Tuesday."),),
        example=_LEAD,
    ),
    Write(
        f"{_CONSOLE}/leads/api/create-lead-note",
        "POST",
        "/guru/leads/[^/]+/notes",
        "guru",
        "/guru/leads/{}",
        named("Save note"),
        (fill("Add a note", "Call back on Monday."),),
        example=_LEAD,
    ),
    Write(
        f"{_CONSOLE}/leads/api/update-lead-status",
        "PUT",
        "/guru/leads/[^/]+/status",
        "guru",
        "/guru/leads/{}",
        named(re.compile("^(Archive|Move to inbox)$")),
        example=_LEAD.replace("LIMIT", "AND t.status <> 'new' LIMIT"),
    ),
    Write(
        f"{_CONSOLE}/domains/api/add-domain",
        "POST",
        "/guru/domains",
        "guru",
        "/guru/domains",
        named("Add domain"),
        (fill("Your domain", "www.bread.example"),),
    ),
    Write(
        f"{_CONSOLE}/hours/api/create-block",
        "POST",
        "/guru/blocks",
        "guru",
        "/guru/hours",
        named("Save busy time"),
        (press("Add a busy time"), fill("From", "2027-03-01"), fill("To", "2027-03-02")),
    ),
    Write(
        f"{_CONSOLE}/hours/api/update-date-hours",
        "PUT",
        "/guru/hours/dates/[^/]+",
        "guru",
        "/guru/hours",
        named("Save date"),
        (press("Add a date"), fill("Date", "2027-03-01")),
    ),
    Write(
        f"{_CONSOLE}/hours/api/update-calendar",
        "PATCH",
        "/guru/calendar",
        "guru",
        "/guru/hours",
        named("Pause"),
        (fill("Not taking bookings until", "2027-03-01"),),
    ),
)
