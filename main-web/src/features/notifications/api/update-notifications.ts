import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { notificationCountQuery } from "./get-notification-count";
import { notificationsQuery, type Notification } from "./get-notifications";

/** Change the loaded notifications and the count as the server has. */
function useStore() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return (count: { unseen: number }, change: (item: Notification) => Notification) => {
    queries.setQueryData(notificationCountQuery(userId).queryKey, count);
    queries.setQueryData(notificationsQuery(userId).queryKey, (data) =>
      data ? { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(change) })) } : data,
    );
  };
}

/** Mark all notifications: seen when the list opens, read when the user says so. */
export function useUpdateNotifications() {
  const store = useStore();
  return useMutation({
    mutationFn: (state: "seen" | "read") => api.PUT("/notifications", { body: { state } }),
    // The list keeps its new ones marked until it opens again.
    onSuccess: (count, state) => store(count, (item) => (state === "read" ? { ...item, isRead: true } : item)),
  });
}

/** Mark one notification as read. */
export function useReadNotification() {
  const store = useStore();
  return useMutation({
    mutationFn: (id: string) =>
      api.PUT("/notifications/{notification_id}", {
        params: { path: { notification_id: id } },
        body: { isRead: true },
      }),
    onSuccess: (count, id) => store(count, (item) => (item.id === id ? { ...item, isRead: true } : item)),
  });
}
