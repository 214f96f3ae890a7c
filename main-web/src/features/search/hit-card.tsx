import { generatePath, Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Avatar } from "../../ui/avatar";
import { Badge } from "../../ui/badge";
import { Card } from "../../ui/card";
import { RiskMark } from "../../ui/risk-mark";
import type { Hit } from "./get-search";
import styles from "./search-page.module.css";

const KIND = { offer: "Neighbor", guru: "Guru", post: "Post", angel: "Angel's List" } as const;
const TERMS: Record<string, string> = { swap: "Swap", hours: "Hours", free: "Free" };

/** One thing found, and the way to it. */
export function HitCard({ hit }: { hit: Hit }) {
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
          <Badge tone={hit.kind === "offer" ? "green" : "info"}>{KIND[hit.kind]}</Badge>
          {hit.priceCents !== null && <Badge>{price(hit)}</Badge>}
          {hit.terms.map((term) => TERMS[term] && <Badge key={term}>{TERMS[term]}</Badge>)}
          {hit.formats.includes("online") && <Badge>Online</Badge>}
          {hit.risk && <RiskMark risk={hit.risk} />}
          {where && <span className={styles.where}>{where}</span>}
        </p>
      </div>
    </Card>
  );
}

function price({ kind, priceCents }: Hit) {
  const dollars = `$${((priceCents ?? 0) / 100).toFixed((priceCents ?? 0) % 100 === 0 ? 0 : 2)}`;
  return kind === "guru" ? `from ${dollars}` : `${dollars}/hr`;
}

function HitLink({ hit }: { hit: Hit }) {
  if (hit.kind === "offer") return <Link to={generatePath(paths.listing, { id: hit.id })}>{hit.title}</Link>;
  if (hit.kind === "angel") return <Link to={`${paths.angelsList}?q=${encodeURIComponent(hit.title)}`}>{hit.title}</Link>;
  // A guru's site is another host of ours.
  const site = `${window.location.protocol}//${hit.label}.${window.location.host}`;
  return <a href={hit.kind === "post" ? `${site}/posts/${hit.slug}` : `${site}/`}>{hit.title}</a>;
}
