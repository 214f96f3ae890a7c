import { Bell as BellIcon } from "lucide-react";
import * as Popover from "radix-ui/popover";
import { lazy, Suspense, useId, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { LoadingBlock } from "@/components/ui/skeleton";
import { paths } from "@/config/paths";
import { useNotificationCount } from "../api/get-notification-count";
import styles from "./bell.module.css";

const NotificationList = lazy(async () => ({ default: (await import("./notification-list")).NotificationList }));

/** The page instead of a panel: a panel on a phone would be a page without an address. */
const NARROW = "(max-width: 48rem)";
const MAX_SHOWN = 99;

/** The bell of the header, with the number of new notifications. It opens them in a panel, on the phone as a page. */
export function Bell() {
  const navigate = useNavigate();
  const title = useId();
  const [open, setOpen] = useState(false);
  const unseen = useNotificationCount().data ?? 0;
  const shown = unseen > MAX_SHOWN ? `${MAX_SHOWN}+` : String(unseen);
  return (
    <Popover.Root
      open={open}
      onOpenChange={(wanted) => {
        if (wanted && window.matchMedia(NARROW).matches) void navigate(paths.notifications);
        else setOpen(wanted);
      }}
    >
      <Popover.Trigger asChild>
        <button
          type="button"
          className={styles.bell}
          aria-label={unseen > 0 ? `Notifications, ${shown} new` : "Notifications"}
        >
          <BellIcon size={20} aria-hidden="true" />
          {unseen > 0 && (
            <span className={styles.count} aria-hidden="true">
              {shown}
            </span>
          )}
        </button>
      </Popover.Trigger>
      <Popover.Content
        className={styles.panel}
        align="end"
        sideOffset={8}
        collisionPadding={12}
        aria-labelledby={title}
        tabIndex={-1}
      >
        <div className={styles.head}>
          <p id={title} className={styles.title}>
            Notifications
          </p>
          <Link to={paths.notifications} className="tap-link" onClick={() => setOpen(false)}>
            See all
          </Link>
        </div>
        <Suspense fallback={<LoadingBlock height="14rem" />}>
          <NotificationList onLeave={() => setOpen(false)} />
        </Suspense>
      </Popover.Content>
    </Popover.Root>
  );
}
