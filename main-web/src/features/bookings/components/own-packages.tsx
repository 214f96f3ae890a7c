import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import { serviceTimesUrl } from "@/lib/guru-site";
import { useOwnPackages } from "../api/get-own-packages";
import { leftText } from "../lib/package-texts";
import styles from "./sessions.module.css";

/** The packages with which the user can book, above their sessions. Nothing without one. */
export function OwnPackages() {
  const packages = useOwnPackages();
  const open = packages.data?.packages.filter(({ isOpen }) => isOpen) ?? [];
  if (!packages.data) return packages.isError ? <LoadNotice what="your packages" queries={[packages]} /> : null;
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="packages" className={styles.list}>
      <h2 id="packages" className={styles.name}>
        Your packages
      </h2>
      <ul className={styles.list}>
        {open.map((one) => (
          <Card as="li" key={one.id} className={styles.card}>
            <h3 className={styles.name}>
              {one.name}: {one.serviceName} with {one.guruName}
            </h3>
            <p>{leftText(one)}</p>
            <p className={styles.soft}>Ask {one.guruName} about the price of more sessions.</p>
            <div className={styles.buttons}>
              <Button asChild size="sm" variant="secondary">
                <a
                  href={serviceTimesUrl(one.guruLabel, one.serviceId)}
                  aria-label={`Choose a time for ${one.serviceName} with ${one.guruName}`}
                >
                  Choose a time
                </a>
              </Button>
            </div>
          </Card>
        ))}
      </ul>
    </section>
  );
}
