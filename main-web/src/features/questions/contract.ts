export { AskButton } from "./components/ask-button";
