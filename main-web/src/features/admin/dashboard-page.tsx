import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router-dom";
import { useFlag } from "../../kit/flags";
import { Page } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { FlagsTab } from "./flags-tab";
import { FutureNote } from "./future-note";
import { ListingsTab } from "./listings-tab";
import { OverviewTab } from "./overview-tab";
import { ReportsTab } from "./reports-tab";
import { SessionsTab } from "./sessions-tab";
import { UsersTab } from "./users-tab";

const DocumentsTab = lazy(async () => ({ default: (await import("./documents/documents-tab")).DocumentsTab }));

/** Seven tabs (SPEC 2.12); which one is open stands in the address. */
export function DashboardPage() {
  const [params, setParams] = useSearchParams();
  const users = useFlag("userProfiles");
  const listings = useFlag("skillListing");
  const sessions = useFlag("booking");
  const reports = useFlag("systemReports");
  const tabs = [
    { value: "overview", label: "Overview", content: <OverviewTab /> },
    { value: "users", label: "Users", content: users ? <UsersTab /> : <FutureNote what="User management" /> },
    { value: "listings", label: "Listings", content: listings ? <ListingsTab /> : <FutureNote what="Listing management" /> },
    { value: "sessions", label: "Sessions", content: sessions ? <SessionsTab /> : <FutureNote what="Session management" /> },
    { value: "reports", label: "Reports", content: reports ? <ReportsTab /> : <FutureNote what="Report management" /> },
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
  const asked = params.get("tab");
  const open = tabs.some(({ value }) => value === asked) ? asked : null;
  return (
    <Page title="Admin" description="What the people who look after Porchlight see.">
      <Tabs
        label="Admin sections"
        tabs={tabs}
        value={open ?? "overview"}
        onValueChange={(tab) => setParams(tab === "overview" ? {} : { tab }, { preventScrollReset: true })}
      />
    </Page>
  );
}
