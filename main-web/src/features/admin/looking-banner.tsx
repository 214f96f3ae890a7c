import { Eye, PencilLine } from "lucide-react";
import { useEffect, useState } from "react";
import type { LookingAs } from "../../kit/looking-as";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { toast } from "../../ui/toast-store";
import { useAllowChanges, useStopLooking } from "./impersonation";
import styles from "./looking-banner.module.css";
import { ReasonForm } from "./reason-form";

/** Says on every page that staff look as a guru, how long still, and ends it. */
export function LookingBanner({ look }: { look: LookingAs }) {
  const [asking, setAsking] = useState(false);
  const allow = useAllowChanges();
  const stop = useStopLooking();
  const minutes = useMinutesLeft(look.expiresAt);
  const { mutate: end } = stop;

  useEffect(() => {
    if (minutes > 0) return;
    toast.info("The time to view this site as its guru is over.");
    end();
  }, [minutes, end]);

  return (
    <aside className={styles.banner} aria-label="Viewing as a guru">
      {look.writing ? <PencilLine size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
      <p className={styles.words}>
        You are viewing <strong>{look.character}</strong> ({look.label}) as its guru.{" "}
        {look.writing ? "Changes are allowed and recorded." : "Read-only."} {minutes} {minutes === 1 ? "minute" : "minutes"} left.
      </p>
      {!look.writing && (
        <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
          Allow changes…
        </Button>
      )}
      <Button size="sm" loading={stop.isPending} onClick={() => end()}>
        Stop viewing
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title="Allow changes as this guru" width={560}>
        <ReasonForm
          act="Allow changes"
          danger
          pending={allow.isPending}
          failure={allow.error?.message}
          onSubmit={(reason) => allow.mutate(reason, { onSuccess: () => setAsking(false) })}
          onCancel={() => setAsking(false)}
        >
          <p>Whatever you change is changed on the guru&apos;s real site, and each change is written into the audit log.</p>
        </ReasonForm>
      </Dialog>
    </aside>
  );
}

function useMinutesLeft(until: string): number {
  const left = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 60_000));
  const [minutes, setMinutes] = useState(left);
  useEffect(() => {
    const timer = window.setInterval(() => setMinutes(left), 1000);
    return () => window.clearInterval(timer);
  });
  return minutes;
}
