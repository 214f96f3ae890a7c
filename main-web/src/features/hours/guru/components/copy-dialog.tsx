import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Stack } from "@/components/ui/stack";
import { Choice, Choices } from "@/components/ui/choices";
import { CheckField } from "@/components/ui/check-field";
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
      <Stack>
        <Choices>
          <Choice onClick={() => setChosen(workdays)}>Weekdays</Choice>
          <Choice onClick={() => setChosen(others)}>Every day</Choice>
        </Choices>
        {others.map((weekday) => (
          <CheckField
            id={`copy-${weekday}`}
            checked={chosen.includes(weekday)}
            onChange={(event) =>
              setChosen(event.target.checked ? [...chosen, weekday] : chosen.filter((each) => each !== weekday))
            }
            label={WEEKDAYS[weekday]}
          />
        ))}
      </Stack>
    </Dialog>
  );
}
