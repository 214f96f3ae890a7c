"""The cover of a post: its first uploaded picture, on cards, in feeds and on the social card."""

from __future__ import annotations

import io
import re
from typing import Any

from PIL import Image

from porchlight.app import Porchlight
from tests.porchlight.app_client import send_raw, wait_until
from tests.porchlight.owner import GuruOwner


async def _upload(owner: GuruOwner, size: tuple[int, int] = (1200, 1600)) -> dict[str, Any]:
    picture = io.BytesIO()
    Image.effect_noise(size, 80).save(picture, "JPEG")
    uploaded: dict[str, Any] = await owner.call("POST", "/images", expect=201, content=picture.getvalue())
    return uploaded


async def _publish(owner: GuruOwner, title: str, content: str) -> dict[str, Any]:
    return await owner.save(await owner.post(title=title, content=content))


async def _get(app: Porchlight, owner: GuruOwner, path: str) -> Any:
    return await send_raw(app, path.encode(), owner.guru.host)


async def test_first_uploaded_picture_is_the_cover(app: Porchlight, rosa: GuruOwner) -> None:
    first, second = await _upload(rosa), await _upload(rosa)
    content = f'# Rye\n\nFlour.\n\n![A dark <loaf> & "crumb"]({first["path"]})\n\n![Crumb]({second["path"]})'
    saved = await _publish(rosa, "Covered bread", content)
    path = f"/blog/{saved['slug']}"

    async def is_published() -> bool:
        return bool((await _get(app, rosa, path)).status == 200)

    await wait_until("the site shows it", is_published)
    thumbnail = f"/images/{first['id']}-640.webp"
    one = (await _get(app, rosa, f"/api/gurus/{rosa.guru.label}/posts/{saved['slug']}")).body.decode()
    assert f'"cover":{{"path":"{first["path"]}","thumbnail":"{thumbnail}"' in one
    assert re.search(r'"preview":"[0-9a-f]{36}"', one)
    assert '"excerpt":"Flour."' in one
    blog = (await _get(app, rosa, "/blog")).body.decode()
    card = re.search(
        r'<span class="picture [^"]*cover"><img class="preview"[^>]*><picture><source [^>]*><img [^>]*>', blog
    )
    assert card is not None
    assert thumbnail in card[0]
    assert f"/images/{first['id']}-480.avif 480w" in card[0]
    assert 'alt="A dark &lt;loaf&gt; &amp; &quot;crumb&quot;"' in card[0]
    post = (await _get(app, rosa, path)).body.decode()
    assert f'property="og:image" content="http://{rosa.guru.host}/og{path}.jpg"' in post
    assert 'property="og:image:alt" content="A dark &lt;loaf&gt; &amp; &quot;crumb&quot;"' in post
    for feed in ("/feed.xml", "/rss.xml"):
        assert f'http://{rosa.guru.host}{first["path"]}" ' in (await _get(app, rosa, feed)).body.decode()
    for picture, kind, size in (
        (f"/og{path}.jpg", "JPEG", (1200, 630)),
        (f"/og{path}.png", "PNG", (1200, 630)),
        (thumbnail, "WEBP", (640, 853)),
    ):
        response = await _get(app, rosa, picture)
        assert response.status == 200, picture
        with Image.open(io.BytesIO(response.body)) as image:
            assert (image.format, image.size) == (kind, size)


async def test_picture_of_another_guru_is_no_cover(app: Porchlight, rosa: GuruOwner, theo: GuruOwner) -> None:
    foreign = await _upload(theo)
    saved = await _publish(rosa, "Borrowed", f"Words.\n\n![x]({foreign['path']})")
    response = await _get(app, rosa, f"/api/gurus/{rosa.guru.label}/posts/{saved['slug']}")
    assert response.status == 200
    assert b'"cover":null' in response.body
    assert (await _get(app, rosa, f"/og/blog/{saved['slug']}.jpg")).status == 404
    assert (await _get(app, rosa, f"/images/{foreign['id']}-640.webp")).status == 404
    assert (await _get(app, theo, f"/images/{foreign['id']}-640.webp")).status == 200


async def test_deleted_picture_leaves_post_without_cover(app: Porchlight, rosa: GuruOwner) -> None:
    picture = await _upload(rosa, (300, 200))
    saved = await _publish(rosa, "Fleeting", f"![x]({picture['path']})")
    path = f"/blog/{saved['slug']}"

    async def image_type(expected: str) -> None:
        async def is_shown() -> bool:
            return f"/og{path}.{expected}" in (await _get(app, rosa, path)).body.decode()

        await wait_until(f"the social card is a {expected}", is_shown)

    await image_type("jpg")
    await rosa.call("DELETE", f"/images/{picture['id']}")
    await image_type("png")


async def test_autosave_of_the_saved_text_is_no_edit(rosa: GuruOwner) -> None:
    post = await _publish(rosa, "Unchanged", "Words.")
    copy = f"/posts/{post['id']}/working-copy"
    body = post["saved"] | {"revision": post["revision"]}
    changed = await rosa.call("PUT", copy, body | {"content": "More words."})

    async def row() -> dict[str, Any]:
        found = (await rosa.call("GET", "/posts?q=Unchanged"))["posts"]
        return dict(found[0])

    assert (await row())["changed"] is True
    await rosa.call("PUT", copy, body | {"revision": changed["revision"]})
    assert (await row())["changed"] is False
    assert (await rosa.call("GET", f"/posts/{post['id']}"))["workingCopy"] is None
