import { Eye, PencilLine } from "lucide-react";
import { useEffect, useState } from "react";
import type { Impersonation } from "@/lib/impersonation";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/lib/toast-store";
import { useAllowImpersonatedWrites } from "../api/allow-impersonated-writes";
import { useStopImpersonation } from "../api/stop-impersonation";
import styles from "./impersonation-banner.module.css";
import { ReasonForm } from "../../components/reason-form";

/** The banner of an impersonation: its guru, its remaining time and the button that ends it. */
export function ImpersonationBanner({ impersonation }: { impersonation: Impersonation }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const allow = useAllowImpersonatedWrites();
  const stop = useStopImpersonation();
  const minutes = useMinutesLeft(impersonation.expiresAt);
  const { mutate: end } = stop;

  useEffect(() => {
    if (minutes > 0) return;
    toast.info("Your time viewing this site as its guru is up.");
    end(true);
  }, [minutes, end]);

  return (
    <aside className={styles.banner} aria-label="Viewing as a guru">
      {impersonation.writing ? <PencilLine size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
      <p className={styles.message}>
        You&apos;re viewing <strong>{impersonation.character}</strong> ({impersonation.label}) as its guru.{" "}
        {impersonation.writing ? "Changes are allowed and recorded." : "Read-only."} {minutes}{" "}
        {minutes === 1 ? "minute" : "minutes"} left.
      </p>
      {!impersonation.writing && (
        <Button variant="secondary" size="sm" onClick={() => setIsDialogOpen(true)}>
          Allow changes…
        </Button>
      )}
      <Button size="sm" loading={stop.isPending} onClick={() => end(false)}>
        Stop viewing
      </Button>
      <Dialog open={isDialogOpen} onOpenChange={setIsDialogOpen} title="Allow changes as this guru" width={560}>
        <ReasonForm
          submitLabel="Allow changes"
          danger
          pending={allow.isPending}
          error={allow.error?.message}
          onSubmit={(reason) => allow.mutate(reason, { onSuccess: () => setIsDialogOpen(false) })}
          onCancel={() => setIsDialogOpen(false)}
        >
          <p>Your changes go live on the guru&apos;s site, and each one is recorded in the audit log.</p>
        </ReasonForm>
      </Dialog>
    </aside>
  );
}

function useMinutesLeft(until: string): number {
  const minutesLeft = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 60_000));
  const [minutes, setMinutes] = useState(minutesLeft);
  useEffect(() => {
    const timer = window.setInterval(() => setMinutes(minutesLeft), 1000);
    return () => window.clearInterval(timer);
  });
  return minutes;
}
