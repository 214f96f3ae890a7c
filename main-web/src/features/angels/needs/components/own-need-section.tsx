import { Check, Inbox } from "lucide-react";
import { useState } from "react";
import { ProfileLink } from "@/components/profile-link";
import { MessageLink } from "@/features/messages/contract";
import { Rating } from "@/features/reviews/contract";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cx } from "@/lib/cx";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { EmptyState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import styles from "../../components/angels.module.css";
import { useAcceptOffer } from "../api/accept-offer";
import { useWithdrawNeed } from "../api/withdraw-need";
import { CompletionForm } from "./completion-form";
import { distanceLabel } from "../../lib/labels";
import type { NeedData, NeedOffer } from "../lib/types";
import { formatMoney } from "@porchlight/shared/format/money";

const showError = (reason: unknown) =>
  toast.error(reason instanceof Error ? reason.message : "Something went wrong. Please try again.");

/** What the owner can do with a need: accept an offer, withdraw the need, mark it as done. */
export function OwnNeedSection({ data: { need, offers } }: { data: NeedData }) {
  const accept = useAcceptOffer();
  const withdraw = useWithdrawNeed();
  const [confirming, setConfirming] = useState<NeedOffer | "withdraw" | null>(null);
  const open = need.status === "open";
  const accepted = offers.find((offer) => offer.accepted);

  async function confirmAction() {
    const action = confirming;
    try {
      if (action === "withdraw") {
        await withdraw.mutateAsync(need.id);
        toast.success("Your need has been withdrawn.");
      } else if (action) {
        await accept.mutateAsync({ id: need.id, offerId: action.id });
        toast.success("Accepted. We've emailed you both so you can get in touch.");
      }
      setConfirming(null);
    } catch (reason) {
      showError(reason);
    }
  }

  return (
    <>
      {accepted && need.status === "accepted" && (
        <Notice tone="success">
          You accepted {accepted.angel?.name ?? "an angel"}'s offer for {formatMoney(accepted.priceCents)}. Reply to our
          email to set a time.
        </Notice>
      )}
      {(need.status === "accepted" || need.status === "done") && (
        <CompletionForm need={need} name={accepted?.angel?.name ?? "the angel"} />
      )}
      <section aria-labelledby="offers" className={styles.stack}>
        <h2 id="offers" className={styles.heading}>
          {offers.length === 0 ? "Offers" : offers.length === 1 ? "1 offer" : `${offers.length} offers`}
        </h2>
        {offers.length === 0 ? (
          <EmptyState icon={Inbox} title={open ? "No offers yet" : "No offers"}>
            {open && "We've notified nearby angels and will email you when an offer comes in."}
          </EmptyState>
        ) : (
          <ul className={styles.list}>
            {offers.map((offer) => (
              <OfferRow key={offer.id} offer={offer} onAccept={open ? () => setConfirming(offer) : null} />
            ))}
          </ul>
        )}
        {need.offers > offers.length && offers.length > 0 && (
          <p>Showing the first {offers.length}. The next appear when angels withdraw theirs.</p>
        )}
      </section>
      {open && (
        <div>
          <Button variant="ghost" size="sm" onClick={() => setConfirming("withdraw")}>
            Withdraw this need
          </Button>
        </div>
      )}
      {confirming && (
        <Confirm
          open
          onOpenChange={(isOpen) => {
            if (!isOpen) setConfirming(null);
          }}
          title={
            confirming === "withdraw"
              ? "Withdraw this need?"
              : `Accept ${confirming.angel?.name ?? "this angel"}'s offer?`
          }
          description={
            confirming === "withdraw"
              ? "Anyone who made an offer will be notified."
              : `${formatMoney(confirming.priceCents)} for the whole job. We'll let the others know you chose someone else.`
          }
          cancel="Not now"
          action={confirming === "withdraw" ? "Withdraw" : "Accept offer"}
          actionVariant={confirming === "withdraw" ? "danger" : "primary"}
          busy={accept.isPending || withdraw.isPending}
          onConfirm={() => void confirmAction()}
        />
      )}
    </>
  );
}

function OfferRow({ offer, onAccept }: { offer: NeedOffer; onAccept: (() => void) | null }) {
  const name = offer.angel?.name ?? "A neighbor";
  return (
    <Card as="li" className={cx(styles.card, offer.accepted && styles.taken)}>
      <div className={styles.person}>
        <Avatar name={name} src={offer.angel?.photoURL} />
        <div>
          <h3 className={styles.name}>
            {offer.angel?.handle ? <ProfileLink handle={offer.angel.handle}>{name}</ProfileLink> : name}
          </h3>
          <Rating rating={offer.rating} ratings={offer.ratings} jobs={offer.jobs} />
        </div>
      </div>
      <p className={styles.userText}>{offer.message}</p>
      <div className={styles.top}>
        <p>
          <span className={styles.price}>{formatMoney(offer.priceCents)}</span>
          {offer.miles !== null && <span className={styles.hint}> · {distanceLabel(offer.miles)} away</span>}
        </p>
        <div className={styles.buttons}>
          {offer.angel && <MessageLink to={{ kind: "need_offer", id: offer.id }} name={name} />}
          {offer.accepted ? (
            <Badge tone="good">Accepted</Badge>
          ) : (
            onAccept && (
              <Button size="sm" onClick={onAccept} aria-label={`Accept ${name}'s offer`}>
                <Check size={16} aria-hidden="true" />
                Accept
              </Button>
            )
          )}
        </div>
      </div>
    </Card>
  );
}
