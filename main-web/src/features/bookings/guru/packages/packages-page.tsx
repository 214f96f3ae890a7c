import { ArrowLeft, Plus, Ticket } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { DataList, DataRow, PendingList, RowButtons, RowFacts, RowName, RowText } from "@/components/ui/data-list";
import { Hint } from "@/components/ui/hint";
import { PageLead, PageTitle } from "@/components/ui/page-header";
import { SectionTitle } from "@/components/ui/section-card";
import { Stack } from "@/components/ui/stack";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { GiveDialog } from "./give-dialog";
import { GrantDialog } from "./grant-dialog";
import { GrantList } from "./grant-list";
import { PackageDialog } from "./package-dialog";
import { useDeletePackage, usePackages } from "./packages-api";
import type { Package } from "./types";
import { formatCents } from "@porchlight/shared/format/money";
import { pluralize } from "@porchlight/shared/format/numbers";

/** The packages that the guru sells or gives, and the people who have them. */
export function PackagesPage() {
  const packages = usePackages();
  const [editing, setEditing] = useState<Package | "new" | null>(null);
  const [giving, setGiving] = useState<Package | null>(null);
  const [openGrant, setOpenGrant] = useState("");
  const list = packages.data?.packages ?? [];
  const add = (
    <Button onClick={() => setEditing("new")}>
      <Plus size={17} aria-hidden="true" />
      Add a package
    </Button>
  );
  return (
    <PageHead title="Packages" description="Sell or give neighbors several sessions of a service at once.">
      <header>
        <p>
          <Link to={paths.guruServices} className="tap-link">
            <ArrowLeft size={16} aria-hidden="true" /> Services
          </Link>
        </p>
        <PageTitle>Packages</PageTitle>
        <PageLead>
          Several sessions of a service, to book within some time. People buy those with a price on your site. You can
          give each of them yourself.
        </PageLead>
      </header>
      <Stack as="section" aria-labelledby="offered">
        <SectionTitle id="offered">What you offer</SectionTitle>
        {packages.isPending && <PendingList rows={2} height="5rem" />}
        {packages.isError && !packages.data && (
          <ErrorState
            title="We couldn't load your packages"
            message={packages.error.message}
            onRetry={() => void packages.refetch()}
            retrying={packages.isFetching}
          />
        )}
        {packages.data && list.length === 0 && (
          <EmptyState icon={Ticket} title="No packages yet" action={add}>
            Add one, such as five lessons within three months. Sell it on your site, or give it to people who have
            booked with you.
          </EmptyState>
        )}
        {list.length > 0 && (
          <>
            <DataList aria-label="Packages">
              {list.map((one) => (
                <PackageRow key={one.id} item={one} onEdit={() => setEditing(one)} onGive={() => setGiving(one)} />
              ))}
            </DataList>
            <div>{add}</div>
          </>
        )}
      </Stack>
      <Stack as="section" aria-labelledby="people">
        <SectionTitle id="people">People with packages</SectionTitle>
        <GrantList onOpen={setOpenGrant} />
      </Stack>
      {editing !== null && <PackageDialog item={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      {giving !== null && <GiveDialog item={giving} onClose={() => setGiving(null)} />}
      {openGrant !== "" && <GrantDialog key={openGrant} id={openGrant} onClose={() => setOpenGrant("")} />}
    </PageHead>
  );
}

type PackageRowProps = { item: Package; onEdit: () => void; onGive: () => void };

function PackageRow({ item, onEdit, onGive }: PackageRowProps) {
  const remove = useDeletePackage();
  const [isConfirming, setIsConfirming] = useState(false);

  async function confirmRemoval() {
    try {
      await remove.mutateAsync(item.id);
      toast.success("Package removed.");
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <DataRow>
      <RowText>
        <RowName as="h3">{item.name}</RowName>
        <RowFacts>
          <span>{item.serviceName}</span>
          <span>{pluralize(item.sessions, "session", "sessions")}</span>
          <span>within {pluralize(item.days, "day", "days")}</span>
          {item.priceCents > 0 && <span>{formatCents(item.priceCents)}</span>}
          {item.openGrants > 0 && <span>{pluralize(item.openGrants, "person has it", "people have it")}</span>}
        </RowFacts>
      </RowText>
      <RowButtons>
        <Button size="sm" aria-label={`Give ${item.name}`} onClick={onGive}>
          Give
        </Button>
        <Button size="sm" variant="secondary" aria-label={`Edit ${item.name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="ghost" aria-label={`Remove ${item.name}`} onClick={() => setIsConfirming(true)}>
          Remove
        </Button>
      </RowButtons>
      <Confirm
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Remove this package?"
        action="Remove"
        busy={remove.isPending}
        onConfirm={() => void confirmRemoval()}
      >
        <Hint>
          {item.priceCents > 0
            ? `No one can buy “${item.name}” anymore, and you can't give it.`
            : `You can't give “${item.name}” anymore.`}{" "}
          What people have of it stays.
        </Hint>
      </Confirm>
    </DataRow>
  );
}
