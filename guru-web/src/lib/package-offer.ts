import { formatPrice } from "./format-number";
import type { Service, Site, SoldPackage } from "./types";

/** The page of the main platform that sells a package. Visitors sign in there first. */
export function packageHref({ guru, mainOrigin }: Pick<Site, "guru" | "mainOrigin">, { id }: { id: string }): string {
  return `${mainOrigin}/packages/buy/${guru.subdomain}/${id}`;
}

/**
 * Say what each session of a package costs, and what it saves against single sessions: "$40 per session. You save $20."
 */
export function packageValue(item: SoldPackage, service: Pick<Service, "price">): string {
  const { priceCents, sessions } = item;
  const each = Math.round(priceCents / sessions);
  const isExact = priceCents % sessions === 0;
  const per = `${isExact ? "" : "About "}${formatPrice(each / 100)} per session.`;
  const single = Math.round(service.price * 100) * sessions;
  return single > priceCents ? `${per} You save ${formatPrice((single - priceCents) / 100)}.` : per;
}
