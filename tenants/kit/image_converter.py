"""Convert a GIF, AVIF or HEIC image: `python -m tenants.kit.image_converter` reads it, and writes a WebP of its pixels.

Runs in its own process with limited memory and CPU time: decoders of these formats are large, and their input is not
trusted. An animation becomes its first picture. The exit code is 1 for what is no such image or has too many pixels.
"""

from __future__ import annotations

import io
import resource
import sys
import warnings

MAX_MEMORY_BYTES = 1_500_000_000  # address space
MAX_CPU_SECONDS = 20
MAX_SIDE_PIXELS = 4000  # larger images are scaled down
QUALITY = 95  # it is encoded again


def limit_resources() -> None:
    """Limit the resources that a compromised or faulty decoder could use."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def convert(upload: bytes, max_pixels: int) -> bytes | None:
    """Return an image as WebP, upright and in sRGB; None for what is no such image or has too many pixels."""
    import pillow_heif
    from PIL import Image, ImageOps

    from tenants.kit.colors import to_8_bit, to_srgb

    pillow_heif.register_heif_opener(thumbnails=False)
    warnings.simplefilter("ignore")
    Image.MAX_IMAGE_PIXELS = None  # `max_pixels` applies instead
    try:
        with Image.open(io.BytesIO(upload), formats=("GIF", "AVIF", "HEIF")) as opened:
            if opened.width * opened.height > max_pixels:
                return None
            upright = ImageOps.exif_transpose(opened)
            profile = opened.info.get("icc_profile")
            image = to_srgb(to_8_bit(upright), profile, transparent=upright.has_transparency_data)
    except (OSError, ValueError, SyntaxError, EOFError, RuntimeError, MemoryError):
        return None
    image.thumbnail((MAX_SIDE_PIXELS, MAX_SIDE_PIXELS))
    image.info.clear()
    output = io.BytesIO()
    image.save(output, "WEBP", quality=QUALITY, method=2)
    return output.getvalue()


def main() -> int:
    """Convert the image of the standard input and return the exit code."""
    upload = sys.stdin.buffer.read()
    limit_resources()
    converted = convert(upload, int(sys.argv[1]))
    if converted is None:
        return 1
    sys.stdout.buffer.write(converted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
