import { Store } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import { RowName, RowText } from "@/components/ui/data-list";
import { Hint } from "@/components/ui/hint";
import { ButtonRow } from "@/components/ui/stack";
import { ShareButton } from "./share-button";
import { useMyGuru } from "../api/get-my-guru";
import styles from "./my-site-card.module.css";
import { pluralize } from "@porchlight/shared/format/numbers";
import { displayUrl } from "@porchlight/shared/format/urls";

/** A dashboard card: the guru's site and the number of unanswered leads. */
export function MySiteCard() {
  const myGuru = useMyGuru();
  const guru = myGuru.data;
  if (guru === undefined) return <LoadNotice what="your site" queries={[myGuru]} />;
  if (!guru) return null;
  const { newLeads, status, suspension } = guru;
  const statusText =
    status === "suspended"
      ? `Suspended by our team.${suspension?.reason ? ` Reason: ${suspension.reason}` : ""}`
      : status === "unpublished"
        ? "Not published yet."
        : newLeads > 0
          ? `${pluralize(newLeads, "new lead")} ${newLeads === 1 ? "needs" : "need"} a reply.`
          : "No new leads.";
  return (
    <Card className={styles.address}>
      <Store size={22} aria-hidden="true" />
      <RowText>
        <RowName as="h3">Your site</RowName>
        <Hint>
          {displayUrl(guru.address)} · {statusText}
        </Hint>
      </RowText>
      <ButtonRow>
        {status === "suspended" && (
          <Button asChild size="sm">
            <Link to={paths.contact}>Contact us</Link>
          </Button>
        )}
        {newLeads > 0 && status !== "suspended" && (
          <Button asChild size="sm">
            <Link to={`${paths.guruLeads}?status=new`}>View leads</Link>
          </Button>
        )}
        <ShareButton guru={guru} />
        <Button asChild variant="secondary" size="sm">
          <Link to={paths.guru}>Manage site</Link>
        </Button>
      </ButtonRow>
    </Card>
  );
}
