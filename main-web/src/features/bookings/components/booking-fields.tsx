import type { ReactNode } from "react";
import { Field, Input, TextArea } from "@/components/ui/field";
import type { BookingDraft } from "../lib/booking-draft";
import styles from "./book-page.module.css";

const MAX_NAME_LENGTH = 80;
const MAX_NOTE_LENGTH = 1000;
const MAX_ADDRESS_LENGTH = 300;

type BookingFieldsProps = {
  draft: BookingDraft;
  /** The name, from the draft or from the profile. */
  name: string;
  nameHandlers: { onFocus: () => void; onBlur: () => void };
  nameError: string | undefined;
  addressError: string | undefined;
  party: number;
  guruName: string;
  place: string;
  /** The fields of those who take part, if they need waivers; otherwise their names are optional. */
  people: ReactNode;
  onChange: (change: Partial<BookingDraft>) => void;
};

/** Who comes, where to meet if it is at the user's place, and a note for the guru. */
export function BookingFields(props: BookingFieldsProps) {
  const { draft, name, nameHandlers, nameError, addressError, party, guruName, place, people, onChange } = props;
  const changeParticipant = (index: number, text: string) => {
    const participants = Array.from({ length: party - 1 }, (_, other) => draft.participants[other] ?? "");
    participants[index] = text;
    onChange({ participants });
  };
  return (
    <div className={styles.fields}>
      <Field label="Your name" error={nameError}>
        <Input
          name="name"
          autoComplete="name"
          maxLength={MAX_NAME_LENGTH}
          value={name}
          {...nameHandlers}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Field>
      {people}
      {Array.from({ length: people ? 0 : party - 1 }, (_, index) => (
        <Field key={index} label={`Name of person ${index + 2}`} optional>
          <Input
            autoComplete="off"
            maxLength={MAX_NAME_LENGTH}
            value={draft.participants[index] ?? ""}
            onChange={(event) => changeParticipant(index, event.currentTarget.value)}
          />
        </Field>
      ))}
      {place === "person" && (
        <Field label="Your address" hint={`Only ${guruName} sees it, to find you.`} error={addressError}>
          <TextArea
            name="address"
            rows={2}
            autoComplete="street-address"
            maxLength={MAX_ADDRESS_LENGTH}
            value={draft.address}
            onChange={(event) => onChange({ address: event.currentTarget.value })}
          />
        </Field>
      )}
      <Field label={`Note for ${guruName}`} hint="What would you like to learn?" optional>
        <TextArea
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          value={draft.note}
          onChange={(event) => onChange({ note: event.currentTarget.value })}
        />
      </Field>
    </div>
  );
}
