import { useEffect, useEffectEvent, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { textsId, type WaiverValues } from "./waiver-values";
import type { WaiverText } from "../api/get-waiver-text";

/**
 * Take back the consents of a form when it shows another text than the one that they are about. Everything else that was
 * entered stays.
 * @param onTakenBack called after that
 * @returns whether the text changed while the form was shown, until `dismiss`
 */
export function useTextChange(
  form: UseFormReturn<WaiverValues>,
  text: WaiverText | undefined,
  onTakenBack: () => void,
) {
  const [seen, setSeen] = useState(() => form.getValues("confirmedTexts"));
  const [hasChanged, setHasChanged] = useState(false);
  const takenBack = useEffectEvent(onTakenBack);
  const shown = text && textsId(text);

  useEffect(() => {
    if (shown === undefined) return;
    const confirmed = form.getValues("confirmedTexts");
    form.setValue("confirmedTexts", shown);
    if (confirmed === "" || confirmed === shown) return;
    for (const name of ["understood", "acknowledged", "released"] as const) form.setValue(name, false);
    takenBack();
  }, [shown, form]);
  if (shown !== undefined && shown !== seen) {
    setSeen(shown);
    setHasChanged(seen !== "");
  }

  return { hasChanged, dismiss: () => setHasChanged(false) };
}
