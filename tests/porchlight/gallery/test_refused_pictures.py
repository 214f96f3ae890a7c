"""Pictures that cannot be saved: the answer names each one, so that the editor can mark it."""

from __future__ import annotations

from typing import Any

from tests.fixtures.refusals import invalid_fields
from tests.porchlight.owner import GuruOwner
from tests.porchlight.profiles.api_client import create_image


async def _picture(owner: GuruOwner, **changes: Any) -> dict[str, Any]:
    png = {"content-type": "image/png"}
    image = await owner.call("POST", "/images", expect=201, content=create_image("PNG"), headers=png)
    return {"place": "gallery", "imageId": image["id"], "alt": "A loaf"} | changes


async def _refusal(owner: GuruOwner, pictures: list[dict[str, Any]]) -> dict[str, str]:
    revision = (await owner.call("GET", "/gallery"))["revision"]
    return invalid_fields(await owner.web.put("/api/guru/gallery", json={"revision": revision, "pictures": pictures}))


async def test_refusal_names_each_picture_that_is_gone(rosa: GuruOwner, theo: GuruOwner) -> None:
    own, gone, of_another = await _picture(rosa), await _picture(rosa), await _picture(theo)
    await rosa.call("DELETE", f"/images/{gone['imageId']}")
    fields = await _refusal(rosa, [own, gone, of_another])
    assert fields["pictures"] == "One of these pictures was deleted. Please remove it here, too."
    assert sorted(fields) == ["pictures", "pictures.1", "pictures.2"]


async def test_refusal_names_the_picture_of_a_gone_service(rosa: GuruOwner) -> None:
    before = await rosa.call("GET", "/gallery")
    lost = await _picture(rosa, place="service", serviceId=str(rosa.guru.id))
    fields = await _refusal(rosa, [await _picture(rosa), lost])
    assert fields["pictures.1"] == "This service was deleted. Please move the picture or remove it."
    assert "pictures.0" not in fields
    assert await rosa.call("GET", "/gallery") == before
