import { Star } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { OverLimitBadge } from "@/features/billing/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { toast } from "@/lib/toast-store";
import { Confirm } from "@/components/ui/confirm";
import { DataRow, RowButtons, RowExcerpt, RowFacts, RowName, RowText } from "@/components/ui/data-list";
import { Hint } from "@/components/ui/hint";
import { errorMessage } from "@/lib/errors";
import { useDeleteService } from "../api/delete-service";
import type { Service } from "../lib/types";
import { formatMoney } from "@porchlight/shared/format/money";

type ServiceRowProps = {
  service: Service;
  onEdit: () => void;
  moveButtons: ReactNode;
};

/** A service in the list, with what the guru can do with it. */
export function ServiceRow({ service, onEdit, moveButtons }: ServiceRowProps) {
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
            <Badge tone="good">
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
        {moveButtons}
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
