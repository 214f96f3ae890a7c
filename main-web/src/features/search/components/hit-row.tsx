import { CalendarClock, FileText, HeartHandshake, MapPin, Video } from "lucide-react";
import type { ReactNode } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { guruSiteUrl, serviceTimesUrl } from "@/lib/guru-site";
import { useRequestAction } from "@/lib/use-request-action";
import { PremiumBadge } from "@/features/billing/contract";
import { LitBadge } from "@/features/porch-lights/contract";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ListRow, RowTile, type Fact } from "@/components/ui/list-row";
import { RiskBadge } from "@/components/ui/risk-badge";
import type { SearchHit } from "../lib/types";
import styles from "./hit-row.module.css";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatSessionStart, viewerZone } from "@porchlight/shared/format/session-times";

const KIND = { offer: "Neighbor", guru: "Guru", post: "Post", angel: "Angel's List" } as const;
const TERMS: Record<string, string> = { swap: "Swap", hours: "Time credits", free: "Free" };

type HitRowProps = {
  hit: SearchHit;
  lit: boolean;
  /** Whether its dot on the map is looked at. */
  active?: boolean;
  onLook?: (cells: readonly number[]) => void;
  /** The level of its heading. */
  level?: "h2" | "h3";
};

/** A search hit: its face, what it costs, where and when, and the next step. */
export function HitRow({ hit, lit, active = false, onLook, level: Heading = "h2" }: HitRowProps) {
  const look = () => onLook?.(hit.cell === null ? [] : [hit.cell]);
  return (
    <ListRow
      id={hitRowId(hit)}
      active={active}
      onMouseEnter={look}
      onMouseLeave={() => onLook?.([])}
      onFocus={look}
      onBlur={() => onLook?.([])}
      face={<Face hit={hit} />}
      heading={
        <Heading>
          <HitLink hit={hit} />
        </Heading>
      }
      badges={
        <>
          <Badge>{KIND[hit.kind]}</Badge>
          {lit && <LitBadge />}
          {hit.premium && <PremiumBadge />}
          {hit.risk?.requiresWaiver && <RiskBadge risk={hit.risk} />}
        </>
      }
      facts={factsOf(hit)}
      action={<Action hit={hit} />}
    >
      {hit.who && <p>by {hit.who}</p>}
      {hit.summary && <p className={styles.summary}>{hit.summary}</p>}
    </ListRow>
  );
}

/** The id of a row, to which a dot of the map leads. */
export const hitRowId = (hit: SearchHit) => `hit-${hit.kind}-${hit.id}`;

function Face({ hit }: { hit: SearchHit }) {
  if (hit.picture) {
    return (
      <img className={styles.picture} src={hit.picture} alt={hit.pictureAlt} loading="lazy" width={56} height={56} />
    );
  }
  if (hit.kind === "offer") return <Avatar name={hit.who || "Neighbor"} src={hit.photoURL} size="lg" />;
  if (hit.kind === "guru") return <Avatar name={hit.title} src={hit.photoURL} size="lg" />;
  return <RowTile>{hit.kind === "post" ? <FileText size={22} /> : <HeartHandshake size={22} />}</RowTile>;
}

function factsOf(hit: SearchHit): Fact[] {
  const terms = hit.terms
    .map((term) => TERMS[term])
    .filter(Boolean)
    .join(", ");
  const where = [hit.city, hit.miles !== null && `about ${hit.miles} mi`].filter(Boolean).join(" · ");
  const facts: (Fact | false)[] = [
    hit.priceCents !== null && { label: "Price", value: <strong>{price(hit)}</strong> },
    terms !== "" && { label: "Terms", value: terms },
    hit.nextStart !== null && {
      label: "Next free time",
      icon: <CalendarClock size={15} aria-hidden="true" />,
      value: formatSessionStart(
        hit.nextStart.startsAt,
        hit.nextStart.place === "online" ? viewerZone() : hit.nextStart.zone,
      ),
    },
    where !== "" && { label: "Place", icon: <MapPin size={15} aria-hidden="true" />, value: where },
    hit.formats.includes("online") && {
      label: "Format",
      icon: <Video size={15} aria-hidden="true" />,
      value: "Online",
    },
  ];
  return facts.filter((fact) => fact !== false);
}

function price({ kind, priceCents }: SearchHit) {
  const amount = formatMoney(priceCents ?? 0);
  return kind === "guru" ? `from ${amount}` : `${amount}/hr`;
}

const angelsPath = (hit: SearchHit) => generatePath(paths.serviceAngels, { service: hit.id });

function HitLink({ hit }: { hit: SearchHit }) {
  if (hit.kind === "offer") return <Link to={generatePath(paths.listing, { id: hit.id })}>{hit.title}</Link>;
  if (hit.kind === "angel") return <Link to={angelsPath(hit)}>{hit.title}</Link>;
  return <a href={guruSiteUrl(hit.label, hit.kind === "post" ? `/blog/${hit.slug}` : "/")}>{hit.title}</a>;
}

function Action({ hit }: { hit: SearchHit }) {
  const askFor = useRequestAction();
  const what = <span className="visually-hidden">: {hit.title}</span>;
  if (hit.kind === "offer") {
    const request = {
      action: "book-skill-session",
      category: hit.title,
      listing: hit.id,
      message: `Ask ${hit.who || "a neighbor"} about ${hit.title}`,
    } as const;
    return (
      <Button
        variant="secondary"
        size="sm"
        onClick={() => askFor(request, `Please sign in to ask ${hit.who || "a neighbor"} about ${hit.title}.`)}
      >
        <span>Request{what}</span>
      </Button>
    );
  }
  if (hit.kind === "angel") {
    return (
      <Step>
        <Link to={angelsPath(hit)}>
          <span>See angels{what}</span>
        </Link>
      </Step>
    );
  }
  if (hit.kind === "post") {
    return (
      <Step>
        <a href={guruSiteUrl(hit.label, `/blog/${hit.slug}`)}>
          <span>Read{what}</span>
        </a>
      </Step>
    );
  }
  return (
    <Step>
      {hit.nextStart ? (
        <a href={serviceTimesUrl(hit.label, hit.nextStart.serviceId)}>
          <span>See times{what}</span>
        </a>
      ) : (
        <a href={guruSiteUrl(hit.label, "/contact")}>
          <span>Send a message{what}</span>
        </a>
      )}
    </Step>
  );
}

function Step({ children }: { children: ReactNode }) {
  return (
    <Button asChild variant="secondary" size="sm">
      {children}
    </Button>
  );
}
