import { Icon, isThemeIcon } from "../ui/icon";
import type { Theme } from "./types";

/** The guru's sign: their icon on a tile of their colours; their emoji when they have no icon of ours. */
export function GuruMark({ theme, large = false }: { theme: Theme; large?: boolean }) {
  return (
    <span className={large ? "mark mark-large" : "mark"} aria-hidden="true">
      {isThemeIcon(theme.icon) ? <Icon name={theme.icon} /> : theme.emoji}
    </span>
  );
}
