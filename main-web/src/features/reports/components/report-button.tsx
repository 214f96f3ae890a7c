import { Flag } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useFlag } from "@/lib/feature-flags";
import { Button } from "@/components/ui/button";
import type { Reported } from "../api/create-report";

const ReportDialog = lazy(async () => ({ default: (await import("./report-dialog")).ReportDialog }));

type ReportButtonProps = {
  subject: Reported;
  title: string;
  /** Opens the dialog with the page, for links that say "Report". */
  startsOpen?: boolean;
};

/** The "Report this" button and its dialog; hidden while reports are switched off. */
export function ReportButton({ subject, title, startsOpen = false }: ReportButtonProps) {
  const [open, setOpen] = useState(startsOpen);
  if (!useFlag("systemReports")) return null;
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setOpen(true)}>
        <Flag size={15} aria-hidden="true" />
        Report this
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ReportDialog subject={subject} title={title} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
