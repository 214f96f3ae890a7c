import { WifiOff } from "lucide-react";
import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { useIsOnline } from "@/lib/use-is-online";
import styles from "./offline-banner.module.css";

const OFFLINE = "You're offline. Pages you've visited still work. Changes will load when you're back online.";

const banner = (content: ReactNode) => (
  <p className={styles.banner}>
    <WifiOff size={16} aria-hidden="true" />
    {content}
  </p>
);

type KeptBannerProps = {
  online: boolean;
  /** What the banner says without a connection. */
  offline: string;
  banner: (content: ReactNode) => ReactNode;
};

// Only signed-in users have answers that were kept. Where its file cannot be loaded, the banner says less.
const KeptBanner = lazy<ComponentType<KeptBannerProps>>(async () => {
  try {
    return { default: (await import("./kept-banner")).KeptBanner };
  } catch {
    return { default: ({ online, offline, banner }) => !online && banner(offline) };
  }
});

/**
 * The one banner about the connection: that the browser is offline, or that a page shows its last answers, and from
 * when they are. The live region is always rendered, so that its content is announced.
 */
export function OfflineBanner({ mayShowKept = false }: { mayShowKept?: boolean }) {
  const online = useIsOnline();
  const plain = !online && banner(OFFLINE);
  return (
    <div role="status">
      {mayShowKept ? (
        <Suspense fallback={plain}>
          <KeptBanner online={online} offline={OFFLINE} banner={banner} />
        </Suspense>
      ) : (
        plain
      )}
    </div>
  );
}
