import { Check, Inbox } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { Avatar } from "../../ui/avatar";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { cx } from "../../ui/cx";
import { Dialog } from "../../ui/dialog";
import { Notice } from "../../ui/notice";
import { EmptyState } from "../../ui/state";
import { toast } from "../../ui/toast-store";
import { Rating } from "./angel-card";
import styles from "./angels.module.css";
import { useAcceptOffer, useWithdrawNeed } from "./change-need";
import { Completion } from "./completion";
import { distance, dollars } from "./formats";
import type { NeedData, Offer } from "./get-needs";

const failed = (reason: unknown) => toast.error(reason instanceof Error ? reason.message : "That did not work.");

/** What the owner of a need does with it: choose an offer, take the need back, say how it went. */
export function OwnNeed({ data: { need, offers } }: { data: NeedData }) {
  const accept = useAcceptOffer();
  const withdraw = useWithdrawNeed();
  const [asking, setAsking] = useState<Offer | "withdraw" | null>(null);
  const open = need.status === "open";
  const accepted = offers.find((offer) => offer.accepted);

  async function act() {
    const what = asking;
    try {
      if (what === "withdraw") {
        await withdraw.mutateAsync(need.id);
        toast.success("Your need is withdrawn.");
      } else if (what) {
        await accept.mutateAsync({ id: need.id, offerId: what.id });
        toast.success("Accepted. We mailed you both, so that you can write to each other.");
      }
    } catch (reason) {
      failed(reason);
    }
    setAsking(null);
  }

  return (
    <>
      {accepted && need.status === "accepted" && (
        <Notice tone="success">
          You accepted the offer of {accepted.angel?.name ?? "an angel"} for {dollars(accepted.priceCents)}. Reply to our mail to
          settle the time.
        </Notice>
      )}
      {(need.status === "accepted" || need.status === "done") && <Completion need={need} name={accepted?.angel?.name ?? "the angel"} />}
      <section aria-labelledby="offers" className={styles.stack}>
        <h2 id="offers" className={styles.heading}>
          {offers.length === 0 ? "Offers" : offers.length === 1 ? "1 offer" : `${offers.length} offers`}
        </h2>
        {offers.length === 0 ? (
          <EmptyState icon={Inbox} title={open ? "No offers yet." : "There were no offers."}>
            {open && "We told the angels near you, and mail you when one makes an offer."}
          </EmptyState>
        ) : (
          <ul className={styles.list}>
            {offers.map((offer) => (
              <OfferRow key={offer.id} offer={offer} onAccept={open ? () => setAsking(offer) : null} />
            ))}
          </ul>
        )}
      </section>
      {open && (
        <div>
          <Button variant="ghost" size="sm" onClick={() => setAsking("withdraw")}>
            Withdraw this need
          </Button>
        </div>
      )}
      {asking && (
        <Dialog
          open
          onOpenChange={(shown) => {
            if (!shown) setAsking(null);
          }}
          title={asking === "withdraw" ? "Withdraw this need?" : `Accept the offer of ${asking.angel?.name ?? "this angel"}?`}
          description={
            asking === "withdraw"
              ? "Who made an offer is told that it is no longer needed."
              : `${dollars(asking.priceCents)} for the whole job. The others are told that it went to somebody else.`
          }
        >
          <div className={styles.buttons}>
            <Button variant="ghost" onClick={() => setAsking(null)}>
              Not now
            </Button>
            <Button
              variant={asking === "withdraw" ? "danger" : "primary"}
              loading={accept.isPending || withdraw.isPending}
              onClick={() => void act()}
            >
              {asking === "withdraw" ? "Withdraw" : "Accept offer"}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function OfferRow({ offer, onAccept }: { offer: Offer; onAccept: (() => void) | null }) {
  const name = offer.angel?.name ?? "A neighbor";
  return (
    <Card as="li" className={cx(styles.card, offer.accepted && styles.taken)}>
      <div className={styles.person}>
        <Avatar name={name} src={offer.angel?.photoURL} />
        <div>
          <h3 className={styles.name}>{offer.angel?.handle ? <Link to={`/u/${offer.angel.handle}`}>{name}</Link> : name}</h3>
          <Rating rating={offer.rating} ratings={offer.ratings} jobs={offer.jobs} />
        </div>
      </div>
      <p className={styles.words}>{offer.message}</p>
      <div className={styles.top}>
        <p>
          <span className={styles.price}>{dollars(offer.priceCents)}</span>
          {offer.miles !== null && <span className={styles.hint}> · {distance(offer.miles)} away</span>}
        </p>
        {offer.accepted ? (
          <Badge tone="green">Accepted</Badge>
        ) : (
          onAccept && (
            <Button size="sm" onClick={onAccept} aria-label={`Accept the offer of ${name}`}>
              <Check size={16} aria-hidden="true" />
              Accept
            </Button>
          )
        )}
      </div>
    </Card>
  );
}
