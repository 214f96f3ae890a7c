import { Plus, Tags } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { PlanUsage } from "@/features/billing/contract";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { PageHeader } from "@/components/ui/page-header";
import { DataList, PendingList } from "@/components/ui/data-list";
import { NotShownText } from "@/features/console/contract";
import { useServices } from "../api/get-services";
import { MoveButton } from "../components/move-button";
import { ServiceDialog } from "../components/service-dialog";
import { ServiceRow } from "../components/service-row";
import type { Service } from "../lib/types";
import { useServiceOrder } from "../lib/use-service-order";

/** The guru's services: create, edit, order, delete. */
export function ServicesPage() {
  const services = useServices();
  const hasBookings = useFlag("booking");
  const [editing, setEditing] = useState<Service | "new" | null>(null);
  const list = services.data?.services ?? [];
  const { move, registerButton, announcement, isPending: isMoving } = useServiceOrder(list);

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
        {hasBookings && list.length > 0 && (
          <Button asChild variant="secondary">
            <Link to={paths.guruPackages}>Packages</Link>
          </Button>
        )}
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
            <ServiceRow
              key={service.id}
              service={service}
              onEdit={() => setEditing(service)}
              moveButtons={([-1, 1] as const).map((by) => (
                <MoveButton
                  key={by}
                  service={service}
                  by={by}
                  off={list[index + by] === undefined || isMoving}
                  onRegister={registerButton}
                  onMove={move}
                />
              ))}
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
