import { Flag } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useFlag } from "@/lib/feature-flags";
import { Button } from "../ui/button";
import type { Reported } from "./create-report";

const ReportDialog = lazy(async () => ({ default: (await import("./report-dialog")).ReportDialog }));

/** The "Report this" button and its dialog; hidden while reports are switched off. */
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
