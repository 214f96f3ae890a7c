import { afterEach, describe, expect, it, vi } from "vitest";
import { isAnimated, preparePhoto } from "./prepare-photo";

const MB = 1024 * 1024;
const scaled: { width: number; height: number; type: string }[] = [];
const drawn: string[] = [];

/** Let the browser decode a photo of this size, and encode it as a small file. */
function stubBrowser(width: number, height: number, encodedBytes = MB) {
  vi.stubGlobal("createImageBitmap", () => Promise.resolve({ width, height, close: () => undefined }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    fillRect: () => drawn.push("background"),
    drawImage: () => drawn.push("photo"),
  } as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function (
    this: HTMLCanvasElement,
    done,
    type = "",
  ) {
    scaled.push({ width: this.width, height: this.height, type });
    done(new Blob([new Uint8Array(encodedBytes)], { type }));
  });
}

const photo = (bytes: number, type = "image/jpeg") => new File([new Uint8Array(bytes)], "photo", { type });

afterEach(() => {
  scaled.length = 0;
  drawn.length = 0;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("preparePhoto", () => {
  it.each([
    [8064, 6048, 5 * MB, "image/jpeg", { width: 4000, height: 3000, type: "image/jpeg" }],
    [4000, 2000, 9 * MB, "image/jpeg", { width: 4000, height: 2000, type: "image/jpeg" }],
    [6120, 8160, 25 * MB, "image/png", { width: 3000, height: 4000, type: "image/webp" }],
  ])("scales %i by %i pixels in %i bytes as %s", async (width, height, bytes, type, size) => {
    stubBrowser(width, height);
    expect((await preparePhoto(photo(bytes, type))).size).toBe(MB);
    expect(scaled).toEqual([size]);
  });

  it("puts white under a PNG that turns into a JPEG", async () => {
    stubBrowser(8064, 6048);
    expect((await preparePhoto(photo(MB, "image/png"), { type: "image/jpeg" })).type).toBe("image/jpeg");
    expect(drawn).toEqual(["background", "photo"]);
  });

  it("sends what the server takes as it is", async () => {
    stubBrowser(4000, 3000);
    const file = photo(2 * MB);
    expect(await preparePhoto(file)).toBe(file);
    expect(scaled).toEqual([]);
  });

  it("scales to limits, and keeps a file that is smaller", async () => {
    stubBrowser(4000, 3000);
    const limits = { width: 1600, height: 2400 };
    expect((await preparePhoto(photo(2 * MB), { limits })).size).toBe(MB);
    expect(scaled).toEqual([{ width: 1600, height: 1200, type: "image/jpeg" }]);
    const small = photo(100);
    expect(await preparePhoto(small, { limits })).toBe(small);
  });

  it("refuses what is too large and cannot be decoded or scaled", async () => {
    stubBrowser(8064, 6048, 9 * MB);
    await expect(preparePhoto(photo(9 * MB))).rejects.toThrow("We couldn't read that image");
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("broken")));
    await expect(preparePhoto(photo(9 * MB))).rejects.toThrow("We couldn't read that image");
    const file = photo(10);
    expect(await preparePhoto(file)).toBe(file);
    expect(await preparePhoto(file, { limits: { width: 1600, height: 2400 } })).toBe(file);
  });

  it.each(["image/gif", "image/avif", "image/heic", ""])("converts what the browser decodes: %s", async (type) => {
    stubBrowser(400, 300);
    expect((await preparePhoto(photo(MB, type))).type).toBe("image/webp");
    expect(scaled).toEqual([{ width: 400, height: 300, type: "image/webp" }]);
  });
});

describe("isAnimated", () => {
  it.each([
    ["image/webp", "RIFF....WEBPVP8X....ANIM", true],
    ["image/gif", "GIF89a...!..NETSCAPE2.0", true],
    ["image/gif", "GIF89a", false],
    ["image/avif", "....ftypavis", true],
    ["image/webp", "RIFF....WEBPVP8 ", false],
    ["image/png", "....IHDR....acTL", true],
    ["image/jpeg", "acTL ANIM", false],
  ])("reads the mark of %s", async (type, head, moves) => {
    expect(await isAnimated(new File([head], "x", { type }))).toBe(moves);
  });
});
