import { guruSiteUrl } from "@/lib/guru-site";
import { Button } from "@/components/ui/button";
import { useTeachers } from "../api/get-teachers";
import { GuruRow } from "./guru-row";
import { LoadedOptions } from "./loaded-options";
import styles from "./teachers.module.css";

/** The next times of the guru's service that the user came for. */
export function ServiceTimes({ guru, service }: { guru: string; service: string }) {
  const teachers = useTeachers({ guru, service });
  return (
    <LoadedOptions query={teachers}>
      {({ gurus }) =>
        gurus.length > 0 ? (
          <ul className={styles.list} aria-label="Guru">
            {gurus.map((found) => (
              <GuruRow key={found.label} guru={found} />
            ))}
          </ul>
        ) : (
          <div className={styles.row}>
            <p>You can't book this online right now. Send a message instead.</p>
            <div>
              <Button asChild size="sm">
                <a href={guruSiteUrl(guru, "/contact")}>Send a message</a>
              </Button>
            </div>
          </div>
        )
      }
    </LoadedOptions>
  );
}
