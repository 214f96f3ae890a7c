import { lazy, Suspense } from "react";
import type { AdminTab } from "@/features/admin/dashboard/pages/dashboard-page";
import { FlagsTab } from "@/features/flags/admin/components/flags-tab";
import { ListingsTab } from "@/features/listings/admin/components/listings-tab";
import { ReportsTab } from "@/features/reports/admin/components/reports-tab";
import { SessionsTab } from "@/features/bookings/admin/components/sessions-tab";
import { UsersTab } from "@/features/users/admin/components/users-tab";

const LazyDocumentsTab = lazy(async () => ({
  default: (await import("@/features/documents/admin/components/documents-tab")).DocumentsTab,
}));

function DocumentsTab() {
  return (
    <Suspense fallback={<p role="status">Loading documents...</p>}>
      <LazyDocumentsTab />
    </Suspense>
  );
}

/** The tabs that features show on the admin dashboard, in the order of SPEC 2.12. */
export const adminTabs: readonly AdminTab[] = [
  { value: "users", label: "Users", Content: UsersTab, flag: "userProfiles", subject: "User management" },
  { value: "listings", label: "Listings", Content: ListingsTab, flag: "skillListing", subject: "Listing management" },
  { value: "sessions", label: "Sessions", Content: SessionsTab, flag: "booking", subject: "Session management" },
  { value: "reports", label: "Reports", Content: ReportsTab, flag: "systemReports", subject: "Report management" },
  { value: "flags", label: "Feature Flags", Content: FlagsTab },
  { value: "documents", label: "Documents", Content: DocumentsTab },
];
