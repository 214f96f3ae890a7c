import Link from "next/link";
import type { ComponentProps } from "react";

/** A link within this site. Page data is prefetched on hover, not when the link enters the viewport. */
export function SiteLink(props: Omit<ComponentProps<typeof Link>, "prefetch">) {
  return <Link {...props} prefetch={false} />;
}
