import { matchPath, useLocation } from "react-router-dom";
import { paths } from "@/config/paths";
import { EmailSettingsPage } from "@/features/email-settings/pages/email-settings-page";
import { NotificationsPage } from "@/features/notifications/pages/notifications-page";
import { SettingsPage } from "@/features/notifications/pages/settings-page";

/** The pages about notifications, in one file: the names of more files would be part of every first visit. */
export function NotificationPages() {
  const { pathname } = useLocation();
  if (matchPath(paths.notifications, pathname)) return <NotificationsPage />;
  return matchPath(paths.notificationSettings, pathname) ? <SettingsPage /> : <EmailSettingsPage />;
}
