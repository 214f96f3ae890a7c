import type { ComponentType } from "react";
import { useSearchParams } from "react-router-dom";
import { useFlag, type FlagName } from "@/lib/feature-flags";
import { PageHead } from "@/components/layout/page-head";
import { Tabs } from "@/components/ui/tabs";
import { UpcomingFeature } from "../../components/upcoming-feature";
import { OverviewTab } from "../components/overview-tab";

export type AdminTab = { value: string; label: string; Content: ComponentType } & (
  | { flag?: undefined }
  /** While the flag is off, the tab says that its subject comes later. */
  | { flag: FlagName; subject: string }
);

/** The overview and the tabs of features (SPEC 2.12); the selected one is in the URL. */
export function DashboardPage({ tabs }: { tabs: readonly AdminTab[] }) {
  const [params, setParams] = useSearchParams();
  const requestedTab = params.get("tab");
  const open = tabs.some(({ value }) => value === requestedTab) ? requestedTab : null;
  return (
    <PageHead title="Admin" description="For Porchlight staff.">
      <Tabs
        label="Admin sections"
        tabs={[
          { value: "overview", label: "Overview", content: <OverviewTab /> },
          ...tabs.map((tab) => ({ value: tab.value, label: tab.label, content: <TabContent tab={tab} /> })),
        ]}
        value={open ?? "overview"}
        onValueChange={(tab) => setParams(tab === "overview" ? {} : { tab }, { preventScrollReset: true })}
      />
    </PageHead>
  );
}

function TabContent({ tab }: { tab: AdminTab }) {
  return tab.flag === undefined ? <tab.Content /> : <FlaggedContent {...tab} />;
}

function FlaggedContent({ flag, subject, Content }: Extract<AdminTab, { flag: FlagName }>) {
  return useFlag(flag) ? <Content /> : <UpcomingFeature feature={subject} />;
}
