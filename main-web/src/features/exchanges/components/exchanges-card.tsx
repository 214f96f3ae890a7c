import { Handshake } from "lucide-react";
import { Link } from "react-router-dom";
import { BlockRow } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { useExchangeCounts } from "../api/get-exchange-counts";
import { pluralize } from "@porchlight/shared/format/numbers";

/** A dashboard card: requests of neighbors that wait for the user's answer. Nothing without one. */
export function ExchangesCard() {
  const counts = useExchangeCounts();
  if (!counts.data) return <LoadNotice what="your sessions with neighbors" queries={[counts]} />;
  const { toAnswer } = counts.data;
  if (toAnswer === 0) return null;
  return (
    <BlockRow
      icon={Handshake}
      title={toAnswer === 1 ? "A neighbor asks for a session" : `${pluralize(toAnswer, "neighbor")} ask for a session`}
      text={`${toAnswer === 1 ? "The request waits" : "The requests wait"} for your answer.`}
      action={
        <Button asChild size="sm">
          <Link to={`${paths.sessions}?tab=waiting`}>Answer</Link>
        </Button>
      }
    />
  );
}
