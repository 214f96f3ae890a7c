import { memo, useDeferredValue } from "react";
import { ProfileLink } from "@/components/profile-link";
import { guruSiteUrl } from "@/lib/guru-site";
import { useProfile } from "@/lib/session/get-profile";
import { usePorchLights, type PorchLight } from "@/features/porch-lights/contract";
import { MessageLink } from "@/features/messages/contract";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import styles from "./neighborhood.module.css";
import { formatLocalClock } from "@porchlight/shared/format/dates";

/** The anchor of the list, for the hero's link. */
export const FREE_NEIGHBORS_ID = "free-this-evening";
export const MAX_SHOWN = 8;

/** The anchor of one neighbor's card. */
export const cardId = ({ handle, site }: PorchLight) => `free-${handle ?? site?.label ?? ""}`;

/** Neighbors whose porch light is on, each with one press to ask; nothing while all are out. */
export function FreeNeighbors() {
  // Rendered interruptibly, because the first format of a time takes a slow phone long.
  const lights = useDeferredValue(usePorchLights().data) ?? [];
  const ownHandle = useProfile().data?.handle;
  if (lights.length === 0) return null;
  return (
    <section className={styles.free} aria-labelledby={FREE_NEIGHBORS_ID}>
      <h2 id={FREE_NEIGHBORS_ID} className={styles.title} tabIndex={-1}>
        Free this evening
      </h2>
      <ul className={styles.freeList} aria-labelledby={FREE_NEIGHBORS_ID}>
        {lights.slice(0, MAX_SHOWN).map((light) => (
          <FreeNeighbor key={cardId(light)} light={light} isOwn={light.handle === ownHandle} />
        ))}
      </ul>
    </section>
  );
}

const FreeNeighbor = memo(function FreeNeighbor({ light, isOwn }: { light: PorchLight; isOwn: boolean }) {
  const { handle, name, site, services, city } = light;
  const offer = [site && site.character !== name && site.character, ...services].filter(Boolean).join(", ");
  return (
    <Card as="li" id={cardId(light)} tabIndex={-1} className={styles.freeCard}>
      <Avatar name={name} src={light.photoURL} />
      <div className={styles.freeText}>
        <h3 className={styles.freeName}>
          {handle !== null ? (
            <ProfileLink handle={handle}>{name}</ProfileLink>
          ) : (
            site && <a href={guruSiteUrl(site.label)}>{name}</a>
          )}
        </h3>
        {offer && <p className={styles.freeOffer}>{offer}</p>}
        <p className={styles.freeMeta}>
          Until {formatLocalClock(light.until)}
          {city && ` · ${city}`}
        </p>
      </div>
      {isOwn ? (
        <Badge tone="good">This is you</Badge>
      ) : handle !== null ? (
        <MessageLink
          to={{ kind: "profile", id: handle }}
          name={name}
          firstWords="I saw that your porch light is on. Are you free this evening?"
        />
      ) : (
        site && (
          <Button asChild variant="secondary" size="sm">
            <a href={guruSiteUrl(site.label, "/contact")}>Message {name}</a>
          </Button>
        )
      )}
    </Card>
  );
});
