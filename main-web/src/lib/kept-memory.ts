/** What is kept where the browser has no database (`kept-data`). This module imports nothing. */
export const keptMemory = new Map<string, unknown>();
