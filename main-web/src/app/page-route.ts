import type { ComponentType } from "react";
import type { RouteObject } from "react-router-dom";

/** The route of a page that is loaded when it is first opened. */
export const page = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
});
