export { booksState } from "./admin/lib/books-state";
export { FeeLine } from "./guru/components/fee-line";
