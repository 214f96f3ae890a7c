import { PageHead } from "@/components/layout/page-head";
import { PageTitle } from "@/components/ui/page-header";
import { NotificationList } from "../components/notification-list";
import styles from "./pages.module.css";

/** All notifications of the user, by day. */
export function NotificationsPage() {
  return (
    <PageHead title="Notifications" description="What happened on Porchlight.">
      <div className={`container ${styles.page}`}>
        <PageTitle>Notifications</PageTitle>
        <NotificationList />
      </div>
    </PageHead>
  );
}
