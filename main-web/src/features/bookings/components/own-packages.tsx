import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import { serviceTimesUrl } from "@/lib/guru-site";
import { useOwnPackages } from "../api/get-own-packages";
import { isShown, leftText, paidPackageText } from "../lib/package-texts";
import styles from "./sessions.module.css";

const BANK_DECIDES_PACKAGE = "Your bank is deciding about this payment, so it can't be used now.";

/** The packages with which the user can book, or could if their bank agreed, above their sessions. Nothing without one. */
export function OwnPackages() {
  const packages = useOwnPackages();
  const shown = packages.data?.packages.filter(isShown) ?? [];
  const { hash } = useLocation();
  const section = useRef<HTMLElement>(null);
  const isThere = shown.length > 0;
  // Orders and emails lead here. The packages are not there yet when the page opens.
  useEffect(() => {
    if (isThere && hash === "#packages") section.current?.scrollIntoView();
  }, [isThere, hash]);

  if (!packages.data) return packages.isError ? <LoadNotice what="your packages" queries={[packages]} /> : null;
  if (!isThere) return null;
  return (
    <section ref={section} aria-labelledby="packages" className={styles.list}>
      <h2 id="packages" className={styles.name}>
        Your packages
      </h2>
      <ul className={styles.list}>
        {shown.map((one) => (
          <Card as="li" key={one.id} className={styles.card}>
            <h3 className={styles.name}>
              {one.name}: {one.serviceName} with {one.guruName}
            </h3>
            <p>{leftText(one)}</p>
            <p className={styles.soft}>
              {one.paidCents > 0 ? paidPackageText(one) : `Ask ${one.guruName} about the price of more sessions.`}
            </p>
            {one.disputed && <p>{BANK_DECIDES_PACKAGE}</p>}
            {one.isOpen && (
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
            )}
          </Card>
        ))}
      </ul>
    </section>
  );
}
