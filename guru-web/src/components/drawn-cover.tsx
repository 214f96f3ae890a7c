/** FNV-1a with the MurmurHash3 finalizer, so that similar texts give very different numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

type DrawLayers = (x: number, lift: number) => [string, string, string];

// Each pattern has three layers, from back to front, in a 320 by 180 view box.
const patterns: readonly DrawLayers[] = [
  function hills(x, lift) {
    const hill = (y: number, swell: number) =>
      `M0 ${y}C70 ${y - swell} 130 ${y + swell} 190 ${y}S280 ${y - swell} 320 ${y}V180H0z`;
    return [hill(86 + lift, 30 + x / 8), hill(116 + lift / 2, -34), hill(148, 22)];
  },
  function arches(x) {
    const arch = (r: number) => `M${x - r} 180V${50 + r}a${r} ${r} 0 0 1 ${2 * r} 0V180z`;
    return [arch(112), arch(76), arch(40)];
  },
  function discs(x, lift) {
    const disc = (r: number) => `M${x - r} ${180 - lift}a${r} ${r} 0 0 1 ${2 * r} 0a${r} ${r} 0 0 1 ${-2 * r} 0`;
    return [disc(150), disc(105), disc(60)];
  },
  function slopes(x, lift) {
    return [
      `M0 180 ${x} ${20 + lift} 320 150V180z`,
      `M0 120 ${x / 2} 180H0z`,
      `M${x - 60} 180 250 ${80 + lift} 320 130V180z`,
    ];
  },
];

/** A drawing in the guru's colors where a photo is missing, the same at each visit. */
export function DrawnCover({ seed }: { seed: string }) {
  const value = hash(seed);
  const x = 90 + (value % 140);
  const draw = patterns[(value >>> 8) % patterns.length];
  const layers = draw?.(x, (value >>> 10) % 30) ?? ["", "", ""];
  const isAlternate = (value >>> 18) % 2 === 1;
  const sun = { x: 44 + ((value >>> 20) % 232), y: 34 + ((value >>> 14) % 30), r: 11 + ((value >>> 24) % 10) };
  return (
    <svg
      className={isAlternate ? "cover cover-alternate" : "cover"}
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <circle className="cover-sun" cx={sun.x} cy={sun.y} r={sun.r} />
      <path d={layers[0]} />
      <path d={layers[1]} />
      <path d={layers[2]} />
    </svg>
  );
}
