import { LocateFixed } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { useUpdateArea } from "../api/update-area";
import styles from "./listings.module.css";

/** Where the user is, as the distance to neighbors is counted. */
export function AreaCard({ city, byArea }: { city: string; byArea: boolean }) {
  const area = useUpdateArea();
  const [isDenied, setIsDenied] = useState(false);
  const locate = () => {
    if (!("geolocation" in navigator)) {
      setIsDenied(true);
      return;
    }
    setIsDenied(false);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => area.mutate({ latitude: coords.latitude, longitude: coords.longitude }),
      () => setIsDenied(true),
      { timeout: 10_000 },
    );
  };
  return (
    <Card as="section" className={styles.section}>
      <h2>My area</h2>
      <p className={styles.soft}>
        {byArea
          ? "An area about a mile wide around your location. We don't store your exact location."
          : city
            ? `Near central ${city} (from your profile).`
            : "Not set. Add your city to your profile or use your location."}
      </p>
      {isDenied && (
        <Notice tone="danger">
          We couldn't get your location. <Link to={paths.profile}>Add your city to your profile</Link> instead.
        </Notice>
      )}
      {area.isError && <Notice tone="danger">{area.error.message}</Notice>}
      <div className={styles.actions}>
        <Button size="sm" variant="secondary" loading={area.isPending} onClick={locate}>
          <LocateFixed size={16} aria-hidden="true" /> Use my location
        </Button>
        {byArea && (
          <Button size="sm" variant="ghost" disabled={area.isPending} onClick={() => area.mutate(null)}>
            Use my city instead
          </Button>
        )}
      </div>
    </Card>
  );
}
