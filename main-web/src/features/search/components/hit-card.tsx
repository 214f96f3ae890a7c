import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { guruSiteUrl } from "@/lib/guru-site";
import { LitBadge } from "@/features/porch-lights/contract";
import { Avatar } from "@/components/ui/avatar";
import { PremiumBadge } from "@/features/billing/contract";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { RiskBadge } from "@/components/ui/risk-badge";
import type { SearchHit } from "../lib/types";
import styles from "../pages/search-page.module.css";
import { formatMoney } from "@porchlight/shared/format/money";

const KIND = { offer: "Neighbor", guru: "Guru", post: "Post", angel: "Angel's List" } as const;
const TERMS: Record<string, string> = { swap: "Swap", hours: "Time credits", free: "Free" };

/** A search hit, linked. */
export function HitCard({ hit, lit }: { hit: SearchHit; lit: boolean }) {
  const where = [hit.city, hit.miles !== null && `about ${hit.miles} mi`].filter(Boolean).join(" · ");
  return (
    <Card as="li" className={styles.hit}>
      {hit.picture && <img className={styles.picture} src={hit.picture} alt={hit.pictureAlt} loading="lazy" />}
      {hit.kind === "offer" && !hit.picture && <Avatar name={hit.who || "Neighbor"} src={hit.photoURL} />}
      <div className={styles.hitText}>
        <h2 className={styles.hitTitle}>
          <HitLink hit={hit} />
        </h2>
        {hit.who && <p className={styles.who}>by {hit.who}</p>}
        {hit.summary && <p className={styles.summary}>{hit.summary}</p>}
        <p className={styles.marks}>
          {lit && <LitBadge />}
          {hit.premium && <PremiumBadge />}
          <Badge tone={hit.kind === "offer" ? "green" : "info"}>{KIND[hit.kind]}</Badge>
          {hit.priceCents !== null && <Badge>{price(hit)}</Badge>}
          {hit.terms.map((term) => TERMS[term] && <Badge key={term}>{TERMS[term]}</Badge>)}
          {hit.formats.includes("online") && <Badge>Online</Badge>}
          {hit.risk && <RiskBadge risk={hit.risk} />}
          {where && <span className={styles.where}>{where}</span>}
        </p>
      </div>
    </Card>
  );
}

function price({ kind, priceCents }: SearchHit) {
  const amount = formatMoney(priceCents ?? 0);
  return kind === "guru" ? `from ${amount}` : `${amount}/hr`;
}

function HitLink({ hit }: { hit: SearchHit }) {
  if (hit.kind === "offer") return <Link to={generatePath(paths.listing, { id: hit.id })}>{hit.title}</Link>;
  if (hit.kind === "angel")
    return <Link to={`${paths.angelsList}?q=${encodeURIComponent(hit.title)}`}>{hit.title}</Link>;
  return <a href={guruSiteUrl(hit.label, hit.kind === "post" ? `/blog/${hit.slug}` : "/")}>{hit.title}</a>;
}
