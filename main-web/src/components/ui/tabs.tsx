import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { tabOfKey } from "@/lib/tab-keys";
import styles from "./tabs.module.css";

type Tab = { value: string; label: ReactNode; content: ReactNode };
type TabsProps = { label: string; tabs: Tab[]; value: string; onValueChange: (value: string) => void };

/**
 * Tabs after the ARIA pattern: one tab stop; arrow keys, Home and End move between them.
 * Hand-written because Radix Tabs adds 8 kB to a landing page, which would exceed its budget of 130 kB.
 */
export function Tabs({ label, tabs, value, onValueChange }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    // On a narrow screen the tab list scrolls: bring the selected tab into view without scrolling the page.
    const row = list.current;
    const selected = row?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!row || !selected || shown.current === value) return;
    // A prerendered list may have been scrolled by hand before this runs for the first time.
    const isScrolledByHand = shown.current === undefined && row.scrollLeft > 0;
    shown.current = value;
    if (!isScrolledByHand) row.scrollLeft = selected.offsetLeft - (row.clientWidth - selected.offsetWidth) / 2;
  }, [value]);

  function selectTab(at: number) {
    const tab = tabs[at];
    if (tab && tab.value !== value) onValueChange(tab.value);
  }

  function handleKeyDown(event: KeyboardEvent, at: number) {
    const to = tabOfKey(event, at, tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus();
    selectTab(to);
  }

  return (
    <div>
      <div ref={list} role="tablist" className={`fading-row ${styles.list}`} aria-label={label}>
        {tabs.map((tab, at) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}${tab.value}-tab`}
            aria-selected={tab.value === value}
            aria-controls={`${id}${tab.value}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className={styles.tab}
            onClick={() => selectTab(at)}
            onKeyDown={(event) => handleKeyDown(event, at)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}${tab.value}-panel`}
          aria-labelledby={`${id}${tab.value}-tab`}
          // The keyboard reaches a panel that has nothing to press, as the ARIA pattern asks.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          hidden={tab.value !== value}
          className={styles.panel}
        >
          {tab.value === value && tab.content}
        </div>
      ))}
    </div>
  );
}
