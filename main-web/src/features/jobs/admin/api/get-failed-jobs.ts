import { api } from "@/lib/api-client";
import { useList } from "@/features/admin/contract";

/** List the failed jobs by task. */
export const useFailedJobs = () =>
  useList("failed-jobs", {}, (_cursor, signal) => api.GET("/admin/failed-jobs", { signal })); // There is one page.
