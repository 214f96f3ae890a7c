/** Split "Bread, Soup" into its entries, without duplicates. */
export function splitList(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
}
