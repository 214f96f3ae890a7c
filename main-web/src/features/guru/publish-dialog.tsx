import { useId, useState } from "react";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, Input } from "../../ui/field";
import styles from "./editor.module.css";

type PublishDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  /** @param at a time to come as ISO 8601; null for now */
  onPublish: (at: string | null) => Promise<void>;
};

/** Now, or at a time to come. */
export function PublishDialog({ open, onOpenChange, busy, onPublish }: PublishDialogProps) {
  const name = useId();
  const [later, setLater] = useState(false);
  const [at, setAt] = useState(() => local(new Date(Date.now() + 24 * 3_600_000)));
  const [fault, setFault] = useState("");

  function publish() {
    const refused = later ? refusal(at) : "";
    setFault(refused);
    if (!refused) void onPublish(later ? new Date(at).toISOString() : null);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Publish this post"
      footer={
        <>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button loading={busy} onClick={publish}>
            {later ? "Schedule" : "Publish now"}
          </Button>
        </>
      }
    >
      <fieldset className={styles.times}>
        <legend className="visually-hidden">When</legend>
        <label className={styles.time}>
          <input type="radio" name={name} checked={!later} onChange={() => setLater(false)} />
          <span>
            Now
            <small>Readers see it within a second.</small>
          </span>
        </label>
        <label className={styles.time}>
          <input type="radio" name={name} checked={later} onChange={() => setLater(true)} />
          <span>
            Later
            <small>It comes out by itself at the time you choose.</small>
          </span>
        </label>
      </fieldset>
      {later && (
        <Field label="Day and time" hint={`Your time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`} error={fault}>
          <Input
            type="datetime-local"
            value={at}
            onChange={(event) => {
              setAt(event.target.value);
              setFault("");
            }}
          />
        </Field>
      )}
    </Dialog>
  );
}

function refusal(at: string): string {
  const moment = new Date(at).getTime();
  if (Number.isNaN(moment)) return "Please choose a day and a time.";
  if (moment <= Date.now()) return "Please choose a time to come.";
  return moment > Date.now() + 730 * 24 * 3_600_000 ? "Please choose a time within two years." : "";
}

/** A moment as `datetime-local` has it, in this device's zone. */
function local(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
