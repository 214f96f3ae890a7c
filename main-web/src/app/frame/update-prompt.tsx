import { Sparkles } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../ui/button";
import { watchForUpdate, type Update } from "../service-worker-updates";
import styles from "./update-prompt.module.css";

/** Offers a newer version when one has been fetched; nothing changes until the person agrees. */
export function UpdatePrompt() {
  const [update, setUpdate] = useState<Update | null>(null);
  useEffect(() => watchForUpdate(setUpdate), []);
  return (
    <div role="status">
      {update && (
        <div className={styles.prompt}>
          <Sparkles size={18} aria-hidden="true" />
          <p className={styles.text}>A new version of Porchlight is ready.</p>
          <Button size="sm" variant="ghost" onClick={() => setUpdate(null)}>
            Later
          </Button>
          <Button size="sm" onClick={() => update.apply()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
