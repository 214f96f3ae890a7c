export { MessageLink } from "./components/message-link";
export { UnreadLink } from "./components/unread-link";
export { RecipientLink } from "./components/recipient-link";
export { BlockButton } from "./components/block-button";
