import { Flag } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../../ui/button";
import { useFlag } from "../flags";
import type { Reported } from "./post-report";

const ReportDialog = lazy(async () => ({ default: (await import("./report-dialog")).ReportDialog }));

/** "Report this": opens the form by which anybody tells the staff. Not there while reports are switched off. */
export function ReportButton({ subject, title }: { subject: Reported; title: string }) {
  const [open, setOpen] = useState(false);
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
