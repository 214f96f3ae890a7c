/** Timing of the wizard's autosave. */
export const DRAFT_AUTOSAVE = { delayMs: 700, retryMs: 5_000 };
