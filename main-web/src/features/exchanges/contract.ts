export { AskLink } from "./components/ask-link";
export { ExchangeList } from "./components/exchange-list";
export { useHasExchanges } from "./lib/use-has-exchanges";
export { useExchanges } from "./api/get-exchanges";
export { NextExchangeCard } from "./components/next-exchange-card";
