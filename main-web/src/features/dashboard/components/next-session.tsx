import { Link } from "react-router-dom";
import { Block, BlockEmpty, BlockLoading } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { useNextSession } from "../lib/use-next-session";

/** The dashboard's first block: the next session, or where to find one. */
export function NextSession() {
  const { next, queries } = useNextSession();
  // The earliest is known only with every answer.
  const isLoading = queries.some((query) => query.isLoading);
  const isBroken = queries.some((query) => query.isLoadingError);
  return (
    <Block title="Your next session" link={next && <Link to={paths.sessions}>All sessions</Link>}>
      {isLoading ? <BlockLoading height="7.5rem" /> : next?.card}
      <LoadNotice what="your sessions" queries={queries} />
      {!next && !isLoading && !isBroken && (
        <BlockEmpty
          action={
            <Button asChild variant="secondary" size="sm">
              <Link to={paths.skills}>Find something to learn</Link>
            </Button>
          }
        >
          Nothing is booked yet. Someone on your street knows how.
        </BlockEmpty>
      )}
    </Block>
  );
}
