import { ArrowDown, ArrowUp, Plus, Star, Tags } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import { toast } from "../../ui/toast-store";
import { Confirm } from "./confirm";
import styles from "./console.module.css";
import { useDeleteService, useOrderServices, useServices } from "./service-calls";
import { ServiceDialog } from "./service-dialog";
import type { Offer } from "./types";
import { why } from "./words";

/** What one offers: described, ordered, deleted. */
export function ServicesPage() {
  const services = useServices();
  const order = useOrderServices();
  const [editing, setEditing] = useState<Offer | "new" | null>(null);
  const [said, setSaid] = useState("");
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const offers = services.data?.services ?? [];

  function know(name: string, button: HTMLButtonElement | null) {
    if (button) buttons.current.set(name, button);
    else buttons.current.delete(name);
  }

  async function move(offer: Offer, by: -1 | 1) {
    const ids = offers.map(({ id }) => id);
    const from = ids.indexOf(offer.id);
    ids.splice(from, 1);
    ids.splice(from + by, 0, offer.id);
    try {
      await order.mutateAsync(ids);
      setSaid(`${offer.name} is now ${from + by + 1} of ${ids.length}.`);
      // The button one pressed may be switched off now: focus stays with the thing that moved.
      requestAnimationFrame(() => {
        const same = buttons.current.get(`${offer.id} ${by}`);
        (same?.disabled ? buttons.current.get(`${offer.id} ${-by}`) : same)?.focus();
      });
    } catch (reason) {
      toast.error(why(reason));
    }
  }

  const add = (
    <Button onClick={() => setEditing("new")}>
      <Plus size={17} aria-hidden="true" />
      Add a service
    </Button>
  );
  return (
    <Page title="Services" description="What you offer on your site.">
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>Services</h1>
          <p className={styles.lead}>What you offer, in the order visitors see it.</p>
        </div>
        {add}
      </header>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {services.isPending && (
        <div className={styles.rows} aria-busy="true">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height="5.5rem" radius="md" />
          ))}
        </div>
      )}
      {services.isError && !services.data && (
        <ErrorState
          title="Your services are out of reach"
          message={services.error.message}
          onRetry={() => void services.refetch()}
          retrying={services.isFetching}
        />
      )}
      {services.data && offers.length === 0 && (
        <EmptyState icon={Tags} title="Nothing offered yet" action={add}>
          Visitors book what has a name, a price and a length.
        </EmptyState>
      )}
      {offers.length > 0 && (
        <ol className={styles.rows} aria-label="Services">
          {offers.map((offer, index) => (
            <Row
              key={offer.id}
              offer={offer}
              onEdit={() => setEditing(offer)}
              up={
                <MoveButton offer={offer} by={-1} off={index === 0 || order.isPending} onKnow={know} onMove={move} />
              }
              down={
                <MoveButton offer={offer} by={1} off={index === offers.length - 1 || order.isPending} onKnow={know} onMove={move} />
              }
            />
          ))}
        </ol>
      )}
      {editing !== null && <ServiceDialog offer={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

type MoveButtonProps = {
  offer: Offer;
  by: -1 | 1;
  off: boolean;
  onKnow: (name: string, button: HTMLButtonElement | null) => void;
  onMove: (offer: Offer, by: -1 | 1) => Promise<void>;
};

function MoveButton({ offer, by, off, onKnow, onMove }: MoveButtonProps) {
  const Icon = by === -1 ? ArrowUp : ArrowDown;
  return (
    <Button
      ref={(button) => onKnow(`${offer.id} ${by}`, button)}
      size="sm"
      variant="ghost"
      disabled={off}
      aria-label={`Move ${offer.name} ${by === -1 ? "up" : "down"}`}
      onClick={() => void onMove(offer, by)}
    >
      <Icon size={17} aria-hidden="true" />
    </Button>
  );
}

const MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", trailingZeroDisplay: "stripIfInteger" });

function Row({ offer, onEdit, up, down }: { offer: Offer; onEdit: () => void; up: ReactNode; down: ReactNode }) {
  const remove = useDeleteService();
  const [asking, setAsking] = useState(false);

  async function erase() {
    try {
      await remove.mutateAsync(offer.id);
      toast.success("The service is deleted.");
    } catch (reason) {
      toast.error(why(reason));
    }
  }

  return (
    <Card as="li" className={styles.row}>
      <div className={styles.words}>
        <h2 className={styles.name}>{offer.name}</h2>
        <p className={styles.facts}>
          <strong>{MONEY.format(offer.priceCents / 100)}</strong>
          <span>{offer.durationMinutes === null ? offer.durationLabel : `${offer.durationMinutes} minutes`}</span>
          {offer.popular && (
            <Badge tone="green">
              <Star size={12} aria-hidden="true" />
              Popular
            </Badge>
          )}
        </p>
        {offer.description && <p className={styles.clip}>{offer.description}</p>}
      </div>
      <div className={styles.buttons}>
        {up}
        {down}
        <Button size="sm" variant="secondary" aria-label={`Edit ${offer.name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="ghost" aria-label={`Delete ${offer.name}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      <Confirm open={asking} onOpenChange={setAsking} title="Delete this service?" action="Delete" busy={remove.isPending} onConfirm={() => void erase()}>
        <p className={styles.hint}>“{offer.name}” disappears from your site. Leads that asked for it stay.</p>
      </Confirm>
    </Card>
  );
}
