"""Decoded images as 8-bit sRGB: color profiles are converted and deep gray is scaled, since both are dropped later."""

from __future__ import annotations

import io

from PIL import Image, ImageCms

_DEEP_MODES = ("I", "I;16", "I;16B", "I;16L", "I;16N")
_PROFILED_MODES = {"L", "RGB", "CMYK"}


def to_8_bit(image: Image.Image) -> Image.Image:
    """Return an image whose channels have 8 bits. A deep gray one is scaled: conversion alone makes it white."""
    if image.mode not in _DEEP_MODES:
        return image
    return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")


def to_srgb(image: Image.Image, profile: bytes | None, *, transparent: bool) -> Image.Image:
    """Return an image as RGB, or RGBA if it is transparent, with its colors converted from its profile to sRGB.

    A profile that is broken or for another kind of image is ignored.
    """
    mode = "RGBA" if transparent else "RGB"
    if profile is None:
        return image.convert(mode)
    alpha = image.convert("RGBA").getchannel("A") if transparent else None
    base = image if image.mode in _PROFILED_MODES else image.convert("L" if image.mode == "LA" else "RGB")
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(base, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        converted = None
    colors = base.convert("RGB") if converted is None else converted
    if alpha is not None:
        colors.putalpha(alpha)
    return colors
