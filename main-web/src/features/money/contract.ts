export { booksState } from "./admin/lib/books-state";
export { useCardPayments } from "./guru/api/get-card-payments";
export { FeeLine } from "./guru/components/fee-line";
export { missingForCards, type Missing } from "./guru/lib/missing-for-cards";
export type { CardPayments } from "./guru/lib/types";
