import encodeQR from "qr";

/** The white border that scanners need, in squares. */
const QUIET_SQUARES = 4;

/** Return the QR code of a text as the view box and the path of an SVG. It can be read with 15% of it damaged. */
export function qrCode(text: string): { viewBox: string; path: string } {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_SQUARES });
  const path = rows.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  return { viewBox: `0 0 ${rows.length} ${rows.length}`, path };
}
