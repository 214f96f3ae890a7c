import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Choice, Choices } from "@/components/ui/choices";
import { Input } from "@/components/ui/field";
import styles from "./week.module.css";

const VIEWS = ["day", "week", "list"] as const;
const LABELS = { day: "Day", week: "Week", list: "List" };

/** How days are shown. */
export type View = (typeof VIEWS)[number];

export const isView = (text: string): text is View => VIEWS.some((view) => view === text);

/** Return the view that is shown: the wanted one, if it fits the screen. */
export function shownView(wanted: View | null, isNarrow: boolean): View {
  if (isNarrow) return wanted === "day" ? "day" : "list";
  return wanted ?? "week";
}

type ViewToolsProps = {
  view: View;
  isNarrow: boolean;
  from: string;
  onViewChange: (view: View) => void;
  onFromChange: (from: string) => void;
  onPage: (direction: 1 | -1) => void;
  isAllHours: boolean;
  onAllHoursChange: (isAllHours: boolean) => void;
};

/** Go to other days, and choose how they are shown. */
export function ViewTools(props: ViewToolsProps) {
  const { view, isNarrow, from, onViewChange, onFromChange, onPage, isAllHours, onAllHoursChange } = props;
  const unit = view === "day" ? "day" : "week";
  return (
    <div className={styles.tools}>
      <div className={styles.toolRow}>
        <Button variant="secondary" aria-label={`Previous ${unit}`} onClick={() => onPage(-1)}>
          <ChevronLeft size={18} aria-hidden="true" />
        </Button>
        <Button variant="secondary" onClick={() => onFromChange("")}>
          Today
        </Button>
        <Button variant="secondary" aria-label={`Next ${unit}`} onClick={() => onPage(1)}>
          <ChevronRight size={18} aria-hidden="true" />
        </Button>
        <Input
          type="date"
          aria-label="Go to day"
          value={from}
          min="2000-01-01"
          max="2199-12-31"
          onChange={({ target }) => target.value && target.validity.valid && onFromChange(target.value)}
        />
      </div>
      <div className={styles.toolRow}>
        {view !== "list" && (
          <Choice aria-pressed={isAllHours} onClick={() => onAllHoursChange(!isAllHours)}>
            All 24 hours
          </Choice>
        )}
        <Choices label="View">
          {VIEWS.filter((one) => one !== "week" || !isNarrow).map((one) => (
            <Choice key={one} aria-pressed={one === view} onClick={() => onViewChange(one)}>
              {LABELS[one]}
            </Choice>
          ))}
        </Choices>
      </div>
    </div>
  );
}
