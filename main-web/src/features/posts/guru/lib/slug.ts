// prettier-ignore
const LETTERS: Record<string, string> = {
  ø: "o", ß: "ss", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ħ: "h", ŋ: "ng", ŧ: "t", ə: "e",
};

/** Replace characters that a slug cannot contain while it is typed, as the server does with a title. */
export function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘ʼ'`´]/g, "")
    .replace(/[¼-¾⅐-⅞]/g, (sign) => ` ${sign.normalize("NFKD")} `)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9-]/g, (letter) => LETTERS[letter] ?? "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-+/, "");
}
