import type { MessageFile } from "./types";

/** The address of a file, or of its small picture. The browser's cookie opens it for both sides of the thread only. */
export const fileUrl = ({ id }: Pick<MessageFile, "id">, size?: "thumb") =>
  `/api/messages/files/${id}${size ? `?size=${size}` : ""}`;
