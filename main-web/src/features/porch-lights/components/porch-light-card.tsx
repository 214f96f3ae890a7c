import { Lamp } from "lucide-react";
import { useId, useState } from "react";
import { Card } from "@/components/ui/card";
import { cx } from "@/lib/cx";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { Switch } from "@/components/ui/switch";
import { useOwnPorchLight, useSetPorchLight } from "../api/own-porch-light";
import styles from "./porch-lights.module.css";
import { formatLocalClock } from "@porchlight/shared/format/dates";

/** The switch of the user's porch light; nothing for users who offer nothing that neighbors can see. */
export function PorchLightCard() {
  const light = useOwnPorchLight();
  const change = useSetPorchLight();
  // The wish of a press, at once: a mutation reports that it is pending only after the event.
  const [wish, setWish] = useState<boolean | null>(null);
  const id = useId();
  if (!light.data) return <LoadNotice what="your porch light" queries={[light]} />;
  if (!(light.data.available || light.data.until)) return null;
  const { until } = light.data;
  const isOn = wish ?? until !== null;

  function turn(on: boolean) {
    if (wish !== null) return;
    setWish(on);
    change.mutate(on, { onSettled: () => setWish(null) });
  }

  return (
    <Card as="section" aria-labelledby={`${id}-title`} className={cx(styles.row, isOn && styles.on)}>
      <Lamp size={22} aria-hidden="true" className={styles.icon} />
      <div className={styles.details}>
        <h2 id={`${id}-title`} className={styles.name}>
          <label htmlFor={`${id}-switch`}>Porch light</label>
        </h2>
        <p id={`${id}-text`} className={styles.text} role="status">
          {isOn && until
            ? `On until ${formatLocalClock(until)}. Neighbors can see that you're free and ask you.`
            : "Free this evening? Turn it on so neighbors can find you and ask. It turns off by itself."}
        </p>
      </div>
      <Switch
        id={`${id}-switch`}
        aria-describedby={`${id}-text`}
        checked={isOn}
        aria-busy={wish !== null}
        onChange={(event) => turn(event.target.checked)}
      />
      {change.isError && (
        <div className={styles.failure}>
          <Notice tone="danger">{change.error.message}</Notice>
        </div>
      )}
    </Card>
  );
}
