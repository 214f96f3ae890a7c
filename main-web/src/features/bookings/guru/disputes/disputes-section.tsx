import { Landmark } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { MoreButton } from "@/components/ui/data-list";
import { ListRow, ListRows, RowTile } from "@/components/ui/list-row";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { SectionTitle } from "@/components/ui/section-card";
import { Stack } from "@/components/ui/stack";
import { TitleText } from "@/components/ui/title-text";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { disputeBadge } from "../lib/refund-text";
import type { GuruDispute } from "../lib/types";
import { DisputeDialog } from "./dispute-dialog";
import { useDisputes } from "./disputes-api";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

/** The payments that banks ask about. Nothing for a guru without one. The open one is in the address. */
export function Disputes() {
  const [params, setParams] = useSearchParamsState();
  const list = useDisputes();
  const open = params.get("dispute");
  const disputes = list.data?.pages.flatMap((page) => page.disputes) ?? [];

  function show(id: string | null) {
    setParams((current) => {
      if (id === null) current.delete("dispute");
      else current.set("dispute", id);
      return current;
    });
  }

  return (
    <>
      <LoadNotice what="your disputes" queries={[list]} />
      {disputes.length > 0 && (
        <Stack as="section" aria-labelledby="disputes">
          <SectionTitle id="disputes">Questions from banks</SectionTitle>
          <ListRows aria-labelledby="disputes">
            {disputes.map((dispute) => (
              <DisputeRow key={dispute.id} dispute={dispute} onOpen={() => show(dispute.id)} />
            ))}
          </ListRows>
          {list.isFetchNextPageError && <Notice tone="danger">{list.error.message}</Notice>}
          <MoreButton list={list} />
        </Stack>
      )}
      {open !== null && <DisputeDialog id={open} onClose={() => show(null)} />}
    </>
  );
}

function DisputeRow({ dispute, onOpen }: { dispute: GuruDispute; onOpen: () => void }) {
  const [label, tone] = disputeBadge(dispute);
  const { amountCents, serviceName, personName, reason, dueBy, canAnswer } = dispute;
  return (
    <ListRow
      face={
        <RowTile>
          <Landmark size={22} aria-hidden="true" />
        </RowTile>
      }
      heading={
        <h3>
          <TitleText>{`${formatCents(amountCents)}, ${serviceName}`}</TitleText>
        </h3>
      }
      badges={<Badge tone={tone}>{label}</Badge>}
      action={
        <Button variant={canAnswer ? "primary" : "secondary"} size="sm" onClick={onOpen}>
          {canAnswer ? "Answer" : "View"} <span className="visually-hidden">{`the question about ${serviceName}`}</span>
        </Button>
      }
    >
      <p>{personName === "" ? reason : `${personName}: ${reason}`}</p>
      {canAnswer && dueBy !== null && <p>Answer by {formatLocalDate(dueBy)}.</p>}
    </ListRow>
  );
}
