import type { GetStaticPaths, GetStaticProps } from "next";

import type { ExportedProps } from "./types";

/** Props of the static export: each page is exported once, without data, for all gurus. */
export const staticProps: GetStaticProps<ExportedProps & Record<string, unknown>> = () => ({ props: { site: null } });

/** One exported page for all values of the route parameters `names`. The API replaces the placeholder with real values. */
export function placeholderPaths(...names: string[]): GetStaticPaths {
  return () => ({ paths: [{ params: Object.fromEntries(names.map((name) => [name, "_"])) }], fallback: false });
}
