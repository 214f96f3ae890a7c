import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useQrCode } from "../api/get-qr-code";
import styles from "./share-dialog.module.css";

/** The white border that scanners need, in squares. */
const QUIET_SQUARES = 4;

/** The QR code of a site's address. */
export function QrCode({ address, host }: { address: string; host: string }) {
  const code = useQrCode(address);
  if (code.isPending) {
    return (
      <div className={styles.code} aria-busy="true">
        <Skeleton height="100%" radius="md" />
      </div>
    );
  }
  if (code.isError) {
    return (
      <div className={styles.failed} role="alert">
        <p>We couldn't load the QR code.</p>
        <Button variant="secondary" size="sm" loading={code.isFetching} onClick={() => void code.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  const { size, path } = code.data;
  const side = size + 2 * QUIET_SQUARES;
  return (
    <svg
      className={styles.code}
      viewBox={`${-QUIET_SQUARES} ${-QUIET_SQUARES} ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={`QR code for ${host}`}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
