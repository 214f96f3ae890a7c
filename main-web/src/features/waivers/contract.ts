export { LevelBadge } from "./components/level-badge";
export { ReceiptButton } from "./components/receipt-button";
export { WaiverModal } from "./components/waiver-modal";
export type { WaiverLevel } from "./lib/levels";
export { EMPTY_VALUES, type WaiverValues } from "./lib/waiver-values";
