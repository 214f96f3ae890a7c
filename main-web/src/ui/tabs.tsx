import * as Radix from "radix-ui/tabs";
import type { ReactNode } from "react";
import styles from "./tabs.module.css";

type Tab = { value: string; label: ReactNode; content: ReactNode };
type TabsProps = { label: string; tabs: Tab[]; value: string; onValueChange: (value: string) => void };

/** A row of tabs over their panels; arrow keys move between them. */
export function Tabs({ label, tabs, value, onValueChange }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className={styles.panel}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
