"""Manifest of the feature `messages`: threads of two people, their files, and blocks."""

from __future__ import annotations

from porchlight.features.messages import models
from tenants.http.feature import Feature, UploadLimit

FEATURE = Feature(
    name="messages",
    routers=(
        "porchlight.features.messages.routes:router",
        "porchlight.features.messages.stream.routes:router",
        "porchlight.features.messages.files.routes:router",
        "porchlight.features.messages.block_routes:router",
    ),
    models=(models,),
    jobs="porchlight.features.messages.jobs",
    upload_limits=(UploadLimit("/api/messages/files", 10 * 1024 * 1024),),
    private_pages=("/messages",),
    personal_data={
        "threads": "conversations you take part in",
        "messages": "messages you wrote",
        "thread_members": "how you keep your conversations: read, muted, archived",
        "message_files": "files you added to messages",
        "inboxes": "how many of your messages are unread",
    },
)
