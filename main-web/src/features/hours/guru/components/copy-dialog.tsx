import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import shared from "@/components/console.module.css";
import { WEEKDAY_NUMBERS, WEEKDAYS } from "../lib/weekdays";

type CopyDialogProps = {
  from: number;
  onCopy: (weekdays: number[]) => void;
  onClose: () => void;
};

/** Asks to which weekdays the hours of one are copied. */
export function CopyDialog({ from, onCopy, onClose }: CopyDialogProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const others = WEEKDAY_NUMBERS.filter((weekday) => weekday !== from);
  const workdays = others.filter((weekday) => weekday < 5);

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Copy ${WEEKDAYS[from]}'s hours`}
      description="They replace the hours of the days you choose."
      width={400}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={chosen.length === 0} onClick={() => onCopy([...chosen])}>
            Copy
          </Button>
        </>
      }
    >
      <div className={shared.form}>
        <div className={shared.choices}>
          <button type="button" className={shared.choice} onClick={() => setChosen(workdays)}>
            Weekdays
          </button>
          <button type="button" className={shared.choice} onClick={() => setChosen(others)}>
            Every day
          </button>
        </div>
        {others.map((weekday) => (
          <div key={weekday} className={shared.check}>
            <input
              id={`copy-${weekday}`}
              type="checkbox"
              checked={chosen.includes(weekday)}
              onChange={(event) =>
                setChosen(event.target.checked ? [...chosen, weekday] : chosen.filter((each) => each !== weekday))
              }
            />
            <label htmlFor={`copy-${weekday}`}>{WEEKDAYS[weekday]}</label>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
