import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { Page } from "@/components/layout/page";
import { Tabs } from "@/components/ui/tabs";
import { FlagsTab } from "../../flags/components/flags-tab";
import { UpcomingFeature } from "../../components/upcoming-feature";
import { ListingsTab } from "../../listings/components/listings-tab";
import { OverviewTab } from "../components/overview-tab";
import { ReportsTab } from "../../reports/components/reports-tab";
import { SessionsTab } from "../../sessions/components/sessions-tab";
import { UsersTab } from "../../users/components/users-tab";

const DocumentsTab = lazy(async () => ({
  default: (await import("../../documents/components/documents-tab")).DocumentsTab,
}));

/** Seven tabs (SPEC 2.12); the selected one is in the URL. */
export function DashboardPage() {
  const [params, setParams] = useSearchParams();
  const users = useFlag("userProfiles");
  const listings = useFlag("skillListing");
  const sessions = useFlag("booking");
  const reports = useFlag("systemReports");
  const tabs = [
    { value: "overview", label: "Overview", content: <OverviewTab /> },
    { value: "users", label: "Users", content: users ? <UsersTab /> : <UpcomingFeature feature="User management" /> },
    {
      value: "listings",
      label: "Listings",
      content: listings ? <ListingsTab /> : <UpcomingFeature feature="Listing management" />,
    },
    {
      value: "sessions",
      label: "Sessions",
      content: sessions ? <SessionsTab /> : <UpcomingFeature feature="Session management" />,
    },
    {
      value: "reports",
      label: "Reports",
      content: reports ? <ReportsTab /> : <UpcomingFeature feature="Report management" />,
    },
    { value: "flags", label: "Feature Flags", content: <FlagsTab /> },
    {
      value: "documents",
      label: "Documents",
      content: (
        <Suspense fallback={<p role="status">Loading documents...</p>}>
          <DocumentsTab />
        </Suspense>
      ),
    },
  ];
  const requestedTab = params.get("tab");
  const open = tabs.some(({ value }) => value === requestedTab) ? requestedTab : null;
  return (
    <Page title="Admin" description="For Porchlight staff.">
      <Tabs
        label="Admin sections"
        tabs={tabs}
        value={open ?? "overview"}
        onValueChange={(tab) => setParams(tab === "overview" ? {} : { tab }, { preventScrollReset: true })}
      />
    </Page>
  );
}
