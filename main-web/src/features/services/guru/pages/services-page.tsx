import { ArrowDown, ArrowUp, Plus, Star, Tags } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { OverLimitBadge, PlanUsage } from "@/features/billing/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { Confirm } from "@/components/ui/confirm";
import { PageHeader } from "@/components/ui/page-header";
import {
  DataList,
  DataRow,
  PendingList,
  RowButtons,
  RowExcerpt,
  RowFacts,
  RowName,
  RowText,
} from "@/components/ui/data-list";
import { Hint } from "@/components/ui/hint";
import { NotShownText } from "@/features/console/contract";
import { errorMessage } from "@/lib/errors";
import { useDeleteService } from "../api/delete-service";
import { useUpdateServiceOrder } from "../api/update-service-order";
import { useServices } from "../api/get-services";
import { ServiceDialog } from "../components/service-dialog";
import type { Service } from "../lib/types";
import { formatMoney } from "@porchlight/shared/format/money";

/** The guru's services: create, edit, order, delete. */
export function ServicesPage() {
  const services = useServices();
  const order = useUpdateServiceOrder();
  const [editing, setEditing] = useState<Service | "new" | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const list = services.data?.services ?? [];

  function registerButton(name: string, button: HTMLButtonElement | null) {
    if (button) buttons.current.set(name, button);
    else buttons.current.delete(name);
  }

  async function move(service: Service, by: -1 | 1) {
    const ids = list.map(({ id }) => id);
    const from = ids.indexOf(service.id);
    ids.splice(from, 1);
    ids.splice(from + by, 0, service.id);
    try {
      await order.mutateAsync(ids);
      setAnnouncement(`${service.name} is now ${from + by + 1} of ${ids.length}.`);
      // The pressed button may be disabled now: keep focus on the moved service.
      requestAnimationFrame(() => {
        const same = buttons.current.get(`${service.id} ${by}`);
        (same?.disabled ? buttons.current.get(`${service.id} ${-by}`) : same)?.focus();
      });
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  const add = (
    <Button onClick={() => setEditing("new")}>
      <Plus size={17} aria-hidden="true" />
      Add a service
    </Button>
  );
  return (
    <PageHead title="Services" description="Manage the services on your site.">
      <PageHeader
        title="Services"
        lead="The services you offer, in the order visitors see them."
        more={
          services.data && (
            <PlanUsage {...services.data.priced} one="service with a price" many="services with a price" />
          )
        }
      >
        {add}
      </PageHeader>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {services.isPending && <PendingList rows={3} height="5.5rem" />}
      {services.isError && !services.data && (
        <ErrorState
          title="We couldn't load your services"
          message={services.error.message}
          onRetry={() => void services.refetch()}
          retrying={services.isFetching}
        />
      )}
      {services.data && !services.data.shown && list.length > 0 && (
        <Notice tone="info">
          <NotShownText />
        </Notice>
      )}
      {services.data && list.length === 0 && (
        <EmptyState icon={Tags} title="No services yet" action={add}>
          Add a service with a name, price and length so visitors can book it.
        </EmptyState>
      )}
      {list.length > 0 && (
        <DataList ordered aria-label="Services">
          {list.map((service, index) => (
            <Row
              key={service.id}
              service={service}
              onEdit={() => setEditing(service)}
              up={
                <MoveButton
                  service={service}
                  by={-1}
                  off={index === 0 || order.isPending}
                  onRegister={registerButton}
                  onMove={move}
                />
              }
              down={
                <MoveButton
                  service={service}
                  by={1}
                  off={index === list.length - 1 || order.isPending}
                  onRegister={registerButton}
                  onMove={move}
                />
              }
            />
          ))}
        </DataList>
      )}
      {editing !== null && (
        <ServiceDialog service={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      )}
    </PageHead>
  );
}

type MoveButtonProps = {
  service: Service;
  by: -1 | 1;
  off: boolean;
  onRegister: (name: string, button: HTMLButtonElement | null) => void;
  onMove: (service: Service, by: -1 | 1) => Promise<void>;
};

function MoveButton({ service, by, off, onRegister, onMove }: MoveButtonProps) {
  const Icon = by === -1 ? ArrowUp : ArrowDown;
  return (
    <Button
      ref={(button) => onRegister(`${service.id} ${by}`, button)}
      size="sm"
      variant="ghost"
      disabled={off}
      aria-label={`Move ${service.name} ${by === -1 ? "up" : "down"}`}
      onClick={() => void onMove(service, by)}
    >
      <Icon size={17} aria-hidden="true" />
    </Button>
  );
}

function Row({ service, onEdit, up, down }: { service: Service; onEdit: () => void; up: ReactNode; down: ReactNode }) {
  const remove = useDeleteService();
  const hasBookings = useFlag("booking");
  const [isConfirming, setIsConfirming] = useState(false);

  async function confirmDelete() {
    try {
      await remove.mutateAsync(service.id);
      toast.success("Service deleted.");
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <DataRow>
      <RowText>
        <RowName>{service.name}</RowName>
        <RowFacts>
          <strong>{formatMoney(service.priceCents)}</strong>
          <span>{service.durationMinutes === null ? service.durationLabel : `${service.durationMinutes} minutes`}</span>
          {service.popular && (
            <Badge tone="green">
              <Star size={12} aria-hidden="true" />
              Popular
            </Badge>
          )}
          {hasBookings && service.openForBooking && <Badge tone="info">Open for booking</Badge>}
          {service.overLimit && <OverLimitBadge />}
        </RowFacts>
        {service.description && <RowExcerpt>{service.description}</RowExcerpt>}
      </RowText>
      <RowButtons>
        {up}
        {down}
        {hasBookings && (
          <Button asChild size="sm" variant="secondary">
            <Link
              to={paths.guruServiceBooking.replace(":id", service.id)}
              aria-label={`Booking settings of ${service.name}`}
            >
              Booking
            </Link>
          </Button>
        )}
        <Button size="sm" variant="secondary" aria-label={`Edit ${service.name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="ghost" aria-label={`Delete ${service.name}`} onClick={() => setIsConfirming(true)}>
          Delete
        </Button>
      </RowButtons>
      <Confirm
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Delete this service?"
        action="Delete"
        busy={remove.isPending}
        onConfirm={() => void confirmDelete()}
      >
        <Hint>“{service.name}” will be removed from your site. We'll keep its leads.</Hint>
      </Confirm>
    </DataRow>
  );
}
