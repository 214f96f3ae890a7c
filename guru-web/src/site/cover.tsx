/** Deterministic small number from a text (FNV-1a): the same picture for the same post, everywhere. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}

function rings(x: number, y: number, step: number): string {
  return [1, 2, 3, 4, 5, 6]
    .map((ring) => {
      const r = ring * step;
      return `M${String(x - r)} ${String(y)}a${String(r)} ${String(r)} 0 1 0 ${String(2 * r)} 0a${String(r)} ${String(r)} 0 1 0 ${String(-2 * r)} 0`;
    })
    .join("");
}

function waves(start: number, height: number): string {
  return [0, 1, 2, 3, 4, 5]
    .map((row) => `M-10 ${String(start + row * 16)}q43-${String(height)} 86 0t86 0 86 0 86 0`)
    .join("");
}

function rays(x: number, y: number): string {
  return [-80, -20, 40, 100, 160, 220, 280, 340, 400].map((end) => `M${String(x)} ${String(y)}L${String(end)} 190`).join("");
}

function steps(shift: number): string {
  return [0, 1, 2, 3, 4, 5].map((row) => `M${String(shift + row * 44)} 190v-${String(30 + row * 26)}h44`).join("");
}

/** A quiet drawing for a post, in the guru's colours. */
export function Cover({ seed }: { seed: string }) {
  const value = hash(seed);
  const x = 40 + (value % 240);
  const y = 20 + ((value >>> 8) % 120);
  const lines = [() => rings(x, y, 22), () => waves(30 + (y % 30), 14 + (value % 26)), () => rays(x, -12), () => steps((value % 60) - 10)];
  const draw = lines[(value >>> 16) % lines.length] ?? (() => "");
  const turned = (value >>> 20) % 2 === 1;
  return (
    <svg className={turned ? "cover cover-turned" : "cover"} viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path className="cover-lines" d={draw()} />
      <circle className="cover-sun" cx={x} cy={y} r={16 + (value % 14)} />
    </svg>
  );
}
