// Build the typefaces of both webs into dist/: subsets of the variable fonts, and the style sheets that name them.
import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as harfbuzz from "harfbuzzjs";
import subsetFont from "subset-font";

const DIST = join(dirname(fileURLToPath(import.meta.url)), "dist");
const packages = createRequire(import.meta.url);

/** The characters of English and of western European names, with punctuation. Browsers load others when a page has them. */
const LATIN =
  "U+20-7E,U+A0-FF,U+131,U+152-153,U+2C6,U+2DA,U+2DC,U+2010-2015,U+2018-201E,U+2021-2022,U+2026,U+2030,U+2032-2033," +
  "U+2039-203A,U+2044,U+20AC,U+2122,U+2190-2193,U+2212";

/** In what the product says, letters are as frequent as in its pages. It measures how wide a typeface is. */
const SAMPLE =
  "Someone on your street knows how. Learn a skill, teach one, book a local guru or get some help. An hour at the " +
  "stove together: bring the dish that keeps going wrong, and we will cook it, taste it and find out why. Saturday, " +
  "December 5, 10:30 AM, for 60 minutes. The rating and the reviews are from people who came. Neighbors share what " +
  "they know, swap what they have and ask for what they need, close to home. You can move or cancel the session until " +
  "24 hours before it starts.";

/**
 * The fonts of systems, by their full and PostScript names. `width` is the mean advance of SAMPLE in em, shaped by
 * HarfBuzz: Arial as Liberation Sans 2 (equal by design), Times New Roman as Liberation Serif 2, Roboto and Noto Serif
 * as the packages @fontsource/roboto and @fontsource/noto-serif 5.3.0.
 */
const ARIAL = {
  regular: { names: ["Arial", "ArialMT", "Liberation Sans", "LiberationSans"], width: 0.44656 },
  bold: { names: ["Arial Bold", "Arial-BoldMT", "Liberation Sans Bold", "LiberationSans-Bold"], width: 0.47925 },
};
const ROBOTO = {
  regular: { names: ["Roboto", "Roboto-Regular"], width: 0.44394 },
  bold: { names: ["Roboto Bold", "Roboto-Bold"], width: 0.45067 },
};
const TIMES = {
  regular: { names: ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif", "LiberationSerif"], width: 0.40451 },
  bold: {
    names: ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold", "LiberationSerif-Bold"],
    width: 0.42754,
  },
};
const NOTO_SERIF = {
  regular: { names: ["Noto Serif", "NotoSerif", "NotoSerif-Regular"], width: 0.47788 },
  bold: { names: ["Noto Serif Bold", "NotoSerif-Bold"], width: 0.50613 },
};
const SANS = { near: [ARIAL, ROBOTO], generic: "sans-serif" };
const SERIF = { near: [TIMES, NOTO_SERIF], generic: "serif" };

/** Weights of texts: 400 to 700. The system's bold font stands for the upper half, and is compared at 600. */
const TEXT_WEIGHTS = { axis: { min: 400, max: 700 }, css: "400 700", parts: { "400 500": 400, "501 900": 600 } };
/** A display face has one weight, which is half as large as a range of weights. */
const displayWeight = (weight) => ({ axis: weight, css: "400 900", parts: { "400 900": weight } });

/**
 * `source` is the file of the package that has the wanted axes; `opsz` its optical size in pixels, which is fixed: 48
 * keeps the thin strokes of a display face readable in the titles of cards.
 */
const FONTS = {
  fraunces: { family: "Fraunces", source: "opsz", opsz: 48, weights: displayWeight(600), like: SERIF },
  "bricolage-grotesque": { family: "Bricolage", source: "opsz", opsz: 48, weights: displayWeight(700), like: SANS },
  figtree: { family: "Figtree", source: "wght", weights: TEXT_WEIGHTS, like: SANS },
  literata: { family: "Literata", source: "opsz", opsz: 14, weights: TEXT_WEIGHTS, like: SERIF },
};

/** The pairs that a guru chooses from (`Typeface` in sites/guru.py). The main platform's is the warm one. */
const PAIRS = {
  warm: { display: "fraunces", text: "figtree" },
  clear: { display: "bricolage-grotesque", text: "figtree" },
  bookish: { display: "literata", text: "literata" },
};

async function build() {
  await mkdir(DIST, { recursive: true });
  const rules = {};
  for (const [name, font] of Object.entries(FONTS)) rules[name] = await buildFont(name, font);
  const pairs = Object.entries(PAIRS).map(([pair, { display, text }]) => {
    const faces = [...new Set([display, text])].map((name) => rules[name]).join("");
    return [pair, `${faces}:root{--font-display:${stack(FONTS[display])};--font-sans:${stack(FONTS[text])}}`];
  });
  const styles = Object.fromEntries(pairs);
  await write("fonts.css", styles.warm);
  await write("typefaces.json", JSON.stringify(styles));
}

/** Write the two subsets of a font. Return its @font-face rules and those of the fonts that stand in while it loads. */
async function buildFont(name, { family, source, opsz, weights, like }) {
  const folder = dirname(packages.resolve(`@fontsource-variable/${name}/unicode.json`));
  const ranges = {
    latin: LATIN,
    "latin-ext": JSON.parse(readFileSync(join(folder, "unicode.json"), "utf8"))["latin-ext"],
  };
  const axes = opsz === undefined ? {} : { opsz };
  const rules = [];
  for (const [subset, range] of Object.entries(ranges)) {
    const original = await readFile(join(folder, `files/${name}-${subset}-${source}-normal.woff2`));
    const font = await subsetFont(original, charactersOf(range), {
      targetFormat: "woff2",
      variationAxes: { ...axes, wght: weights.axis },
      // The license and its address, which the Open Font License wants with each copy.
      preserveNameIds: [13, 14],
    });
    const file = `${name}-${subset}.woff2`;
    await write(file, font);
    rules.push(
      // No `swap`: a text that breaks its lines elsewhere moves what is below it, however alike the measures are.
      `@font-face{font-family:${family};font-weight:${weights.css};font-display:optional;` +
        `src:url("./${file}")format("woff2");unicode-range:${range}}`,
    );
    if (subset !== "latin") continue;
    for (const [part, weight] of Object.entries(weights.parts)) {
      const instance = await subsetFont(original, charactersOf(range), {
        targetFormat: "sfnt",
        variationAxes: { ...axes, wght: weight },
      });
      rules.push(
        ...like.near.map((system, index) => standIn(`${family} ${index + 2}`, part, weight, instance, system)),
      );
    }
  }
  return rules.join("");
}

/** A system font in the measures of the real one, so that nothing moves when that arrives. */
function standIn(family, part, weight, instance, system) {
  const { names, width } = weight < 600 ? system.regular : system.bold;
  const { ascent, descent, lineGap, advance } = measure(instance);
  const size = advance / width;
  return (
    `@font-face{font-family:"${family}";font-weight:${part};src:${names.map((one) => `local("${one}")`).join()};` +
    `size-adjust:${percent(size)};ascent-override:${percent(ascent / size)};` +
    `descent-override:${percent(descent / size)};line-gap-override:${percent(lineGap / size)}}`
  );
}

/** Return the measures of a TrueType font in em; `advance` is the mean one of SAMPLE, with kerning. */
function measure(font) {
  const data = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const table = (tag) => {
    for (let at = 12; at < 12 + 16 * data.getUint16(4); at += 16)
      if (font.toString("latin1", at, at + 4) === tag) return data.getUint32(at + 8);
    throw new Error(`a font has no table ${tag}`);
  };
  const em = data.getUint16(table("head") + 18);
  const hhea = table("hhea");
  const buffer = new harfbuzz.Buffer();
  buffer.addText(SAMPLE);
  buffer.guessSegmentProperties();
  harfbuzz.shape(new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(font))), buffer);
  const width = buffer.getGlyphPositions().reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  return {
    ascent: data.getInt16(hhea + 4) / em,
    descent: -data.getInt16(hhea + 6) / em,
    lineGap: data.getInt16(hhea + 8) / em,
    advance: width / SAMPLE.length / em,
  };
}

function stack({ family, like }) {
  return [family, ...like.near.map((_system, index) => `"${family} ${index + 2}"`), like.generic].join();
}

function charactersOf(range) {
  return range
    .split(",")
    .map((part) => {
      const [first, last = first] = part
        .slice(2)
        .split("-")
        .map((code) => Number.parseInt(code, 16));
      return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
    })
    .join("");
}

function percent(value) {
  return `${Number((value * 100).toFixed(2))}%`;
}

/** Write a file at once: the builds of both webs may run at the same time. */
async function write(name, content) {
  const part = join(DIST, `${name}.${process.pid}`);
  await writeFile(part, content);
  await rename(part, join(DIST, name));
}

await build();
