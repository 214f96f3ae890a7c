import { QuestionFields } from "@/components/questions/question-fields";
import { Field, Input, TextArea } from "@/components/ui/field";
import type { Hold } from "../lib/types";
import type { BookingFormState } from "../lib/use-booking-form";
import styles from "./book-page.module.css";
import { PartyFields } from "./party-fields";
import { fieldErrors } from "@porchlight/shared/client";

const MAX_NAME_LENGTH = 80;
const MAX_NOTE_LENGTH = 1000;
const MAX_ADDRESS_LENGTH = 300;

/** Who comes, where to meet if it is at the user's place, the guru's questions, and a note for the guru. */
export function BookingFields({ hold, form }: { hold: Hold; form: BookingFormState }) {
  const { draft, errors, change } = form;
  return (
    <div className={styles.fields}>
      <Field label="Your name" error={errors.name}>
        <Input
          name="name"
          autoComplete="name"
          maxLength={MAX_NAME_LENGTH}
          value={form.name}
          {...form.nameHandlers}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </Field>
      {hold.waiver.required ? (
        <PartyFields
          people={form.party}
          errors={errors.people}
          fields={fieldErrors(form.request.error)}
          onChange={(people) => change({ people })}
        />
      ) : (
        <OptionalNames
          names={Array.from({ length: hold.party - 1 }, (_, index) => draft.participants[index] ?? "")}
          onChange={(participants) => change({ participants })}
        />
      )}
      {hold.place === "person" && (
        <Field label="Your address" hint={`Only ${hold.guruName} sees it, to find you.`} error={errors.address}>
          <TextArea
            name="address"
            rows={2}
            autoComplete="street-address"
            maxLength={MAX_ADDRESS_LENGTH}
            value={draft.address}
            onChange={(event) => change({ address: event.currentTarget.value })}
          />
        </Field>
      )}
      <QuestionFields
        questions={hold.questions}
        answers={draft.answers}
        errors={errors.answers}
        onChange={(answers) => change({ answers })}
      />
      <Field label={`Note for ${hold.guruName}`} hint="What would you like to learn?" optional>
        <TextArea
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          value={draft.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
      </Field>
    </div>
  );
}

/** The names of those who come along to a session without waivers. */
function OptionalNames({ names, onChange }: { names: string[]; onChange: (names: string[]) => void }) {
  const change = (at: number, text: string) => onChange(names.map((name, index) => (index === at ? text : name)));
  return names.map((name, index) => (
    <Field key={index} label={`Name of person ${index + 2}`} optional>
      <Input
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onChange={(event) => change(index, event.currentTarget.value)}
      />
    </Field>
  ));
}
