import { Notice } from "@/components/ui/notice";
import { PlaceChoices } from "@/features/places/contract";
import type { components } from "@porchlight/shared/api.gen";

type UnknownPlaceNoticeProps = {
  /** The place as it was typed. */
  typed: string;
  match: components["schemas"]["MatchedPlace"];
  onChoose: (label: string) => void;
};

/** Says that distances are missing because the typed place is unknown, and offers the places that are alike. */
export function UnknownPlaceNotice({ typed, match, onChoose }: UnknownPlaceNoticeProps) {
  return (
    <Notice tone="warning">
      <p>
        We can't show distances from “{typed}”. {match.message}
        {match.choices.length > 0 && " Did you mean:"}
      </p>
      <PlaceChoices choices={match.choices} onChoose={onChoose} />
    </Notice>
  );
}
