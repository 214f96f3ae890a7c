export type { PlaceMatch } from "./api/get-place-match";
export { PlaceChoices } from "./components/place-choices";
export { PlaceHint } from "./components/place-hint";
