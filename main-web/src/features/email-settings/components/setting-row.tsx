import { useId } from "react";
import { Notice } from "@/components/ui/notice";
import { Switch } from "@/components/ui/switch";
import type { EmailSetting } from "../api/get-email-settings";
import { useUpdateEmailSetting } from "../api/update-email-setting";
import styles from "./setting-row.module.css";

/** A kind of email with its switch, which saves at once. */
export function SettingRow({ token, setting }: { token: string; setting: EmailSetting }) {
  const id = useId();
  const update = useUpdateEmailSetting(token);
  const isOn = update.isPending ? update.variables.isOn : setting.isOn;
  return (
    <li className={styles.row}>
      <label htmlFor={id} className={styles.label}>
        {setting.title}
      </label>
      <Switch
        id={id}
        checked={isOn}
        aria-describedby={`${id}-about`}
        onChange={(event) => {
          // Not disabled while it saves: a disabled switch would lose the focus.
          if (!update.isPending) update.mutate({ kind: setting.kind, isOn: event.target.checked });
        }}
        aria-busy={update.isPending || undefined}
      />
      <p id={`${id}-about`} className={styles.about}>
        {setting.description}
      </p>
      {update.isError && <Notice tone="danger">We couldn't save this. {update.error.message}</Notice>}
    </li>
  );
}
