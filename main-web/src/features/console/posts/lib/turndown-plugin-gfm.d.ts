declare module "@joplin/turndown-plugin-gfm" {
  import type TurndownService from "turndown";
  /** Tables, struck out words and task lists. */
  export const gfm: TurndownService.Plugin;
}
