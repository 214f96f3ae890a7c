import Link from "next/link";
import type { ComponentProps } from "react";

/** A link inside this site. Its data is fetched when a visitor means to go there, never on sight: what a page shows is in its HTML. */
export function SiteLink(props: Omit<ComponentProps<typeof Link>, "prefetch">) {
  return <Link {...props} prefetch={false} />;
}
