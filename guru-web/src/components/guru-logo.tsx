import { isThemeIcon } from "../lib/theme-icons";
import type { Theme } from "../lib/types";
import { Icon } from "./ui/icon";

/** The guru's icon on a tile in the theme's colors, or a star when the theme has no known icon. */
export function GuruLogo({ theme, large = false }: { theme: Theme; large?: boolean }) {
  return (
    <span className={large ? "logo logo-large" : "logo"} aria-hidden="true">
      <Icon name={isThemeIcon(theme.icon) ? theme.icon : "star"} />
    </span>
  );
}
