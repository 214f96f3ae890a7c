import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { useTeachers } from "../api/get-teachers";
import { GuruRow } from "./guru-row";
import { LoadedOptions } from "./loaded-options";
import styles from "./teachers.module.css";

/** The guru's service that the user came for: its next times, or a message about it. */
export function ServiceTimes({ guru, service }: { guru: string; service: string }) {
  const teachers = useTeachers({ guru, service });
  return (
    <LoadedOptions query={teachers}>
      {({ gurus }) =>
        gurus.length > 0 ? (
          <ul className={styles.list} aria-label="Guru">
            {gurus.map((found) => (
              <GuruRow key={found.label} guru={found} service={service} />
            ))}
          </ul>
        ) : (
          <div className={styles.row}>
            <p>This guru isn't available right now.</p>
            <div>
              <Button asChild variant="secondary" size="sm">
                <Link to={paths.skills}>Find another teacher</Link>
              </Button>
            </div>
          </div>
        )
      }
    </LoadedOptions>
  );
}
