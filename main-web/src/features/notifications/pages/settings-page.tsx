import { PageHead } from "@/components/layout/page-head";
import { LoadNotice } from "@/components/ui/load-notice";
import { PageHeader } from "@/components/ui/page-header";
import { SectionCard } from "@/components/ui/section-card";
import { LoadingBlock } from "@/components/ui/skeleton";
import { useDevices } from "../api/devices";
import { useHours } from "../api/hours";
import { useTopics } from "../api/topics";
import { DevicesCard } from "../components/devices-card";
import { HoursForm } from "../components/hours-form";
import { TopicTable } from "../components/topic-table";
import styles from "./pages.module.css";

/** How notifications reach the user: by kind and channel, when, and on which devices. */
export function SettingsPage() {
  const topics = useTopics();
  const hours = useHours();
  const devices = useDevices();
  return (
    <PageHead title="Notification settings" description="Choose how Porchlight reaches you.">
      <div className={`container ${styles.page}`}>
        <PageHeader
          title="Notification settings"
          lead="Everything is in the bell at the top of each page. Choose what also comes by email and on your devices."
        />
        <SectionCard id="topics" title="What reaches you" hint="Changes are saved right away.">
          {topics.isPending && <LoadingBlock height="24rem" />}
          <LoadNotice what="your settings" queries={[topics]} />
          {topics.data && <TopicTable topics={topics.data} hours={hours.data} />}
        </SectionCard>
        <SectionCard
          id="hours"
          title="Digest and quiet hours"
          hint="In quiet hours your devices stay silent, and emails that can wait come together afterwards. What you have to know within a day always comes at once."
        >
          {hours.isPending && <LoadingBlock height="12rem" />}
          <LoadNotice what="your hours" queries={[hours]} />
          {hours.data && <HoursForm key={JSON.stringify(hours.data)} hours={hours.data} />}
        </SectionCard>
        <SectionCard id="devices" title="Devices">
          {devices.isPending && <LoadingBlock height="8rem" />}
          <LoadNotice what="your devices" queries={[devices]} />
          {devices.data && <DevicesCard devices={devices.data.devices} publicKey={devices.data.publicKey} />}
        </SectionCard>
      </div>
    </PageHead>
  );
}
