import { Link } from "react-router-dom";
import { Block, BlockEmpty, BlockLoading } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import styles from "../../components/angels.module.css";
import { useOwnServices } from "../../api/get-own-services";
import { useNeeds } from "../api/get-needs";
import { useOwnOffers } from "../api/get-own-offers";
import { NeedCard } from "./need-card";

const MAX_SHOWN = 3;

/** A dashboard block: needs nearby that fit what the user helps with, without those that they made an offer on. */
export function FittingNeeds() {
  const services = useOwnServices();
  const needs = useNeeds({ service: "", fitting: true });
  const offers = useOwnOffers();
  const queries = [services, needs, offers];
  const helps = (services.data?.services.length ?? 0) > 0;
  const offered = new Set(offers.data?.pages[0]?.offers.map(({ need }) => need?.id));
  const open = needs.data?.pages[0]?.needs.filter(({ id }) => !offered.has(id)) ?? [];
  const isLoading = queries.some((query) => query.isLoading);
  const isBroken = queries.some((query) => query.isLoadingError);
  return (
    <Block
      title="Neighbors who need you"
      link={open.length > MAX_SHOWN && <Link to={`${paths.needs}?show=fitting`}>See all</Link>}
    >
      <LoadNotice what="the needs near you" queries={queries} />
      {isLoading && <BlockLoading height="9rem" />}
      {!isLoading && !isBroken && open.length === 0 && <NoNeeds helps={helps} />}
      {!isLoading && open.length > 0 && (
        <ul className={styles.grid} aria-label="Needs that fit you">
          {open.slice(0, MAX_SHOWN).map((need) => (
            <NeedCard key={need.id} need={need} level="h3" />
          ))}
        </ul>
      )}
    </Block>
  );
}

function NoNeeds({ helps }: { helps: boolean }) {
  if (helps) {
    return (
      <BlockEmpty
        action={
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.needs}>See all needs</Link>
          </Button>
        }
      >
        No one nearby needs what you help with right now. We'll email you when someone does.
      </BlockEmpty>
    );
  }
  return (
    <BlockEmpty
      action={
        <Button asChild variant="secondary" size="sm">
          <Link to={paths.beAnAngel}>Say what you help with</Link>
        </Button>
      }
    >
      Good with a drill, a dog or a moving box? See who nearby needs a hand.
    </BlockEmpty>
  );
}
