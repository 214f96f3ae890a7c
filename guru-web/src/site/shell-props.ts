import type { GetStaticPaths, GetStaticProps } from "next";

import type { ShellProps } from "./types";

/** Every page is exported once, empty, for all gurus. */
export const shellProps: GetStaticProps<ShellProps & Record<string, unknown>> = () => ({ props: { site: null } });

/** One stand-in page for every value of a parameter; the API puts the real one in its place. */
export function placeholder(...names: string[]): GetStaticPaths {
  return () => ({ paths: [{ params: Object.fromEntries(names.map((name) => [name, "_"])) }], fallback: false });
}
