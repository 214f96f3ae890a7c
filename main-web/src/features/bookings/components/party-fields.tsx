import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { DraftPerson, Signer } from "../lib/booking-draft";
import styles from "./book-page.module.css";

const MAX_NAME_LENGTH = 80;
const MAX_EMAIL_LENGTH = 254;
const SIGNERS: Record<Signer, string> = {
  self: "Me. I sign for myself",
  guardian: "A child. I sign as parent or guardian",
  link: "Another adult. They get a link to sign",
};

type PartyFieldsProps = {
  people: DraftPerson[];
  /** The messages about the names, by index. */
  errors: ReadonlyMap<number, string>;
  /** The server's messages, by field. */
  fields: Readonly<Record<string, string>>;
  onChange: (people: DraftPerson[]) => void;
};

/** Who takes part in a session that needs a waiver: each person with a name, and who signs for them. */
export function PartyFields({ people, errors, fields, onChange }: PartyFieldsProps) {
  const change = (index: number, part: Partial<DraftPerson>) =>
    onChange(people.map((person, other) => (other === index ? { ...person, ...part } : person)));
  const problem = fields.participants ?? fields.signers;
  return (
    <fieldset className={styles.party}>
      <legend>{people.length === 1 ? "Who takes part" : `The ${people.length} people who take part`}</legend>
      <p className={styles.soft}>This session has risks, so everyone needs a waiver of their own.</p>
      {problem && <Notice tone="danger">{problem}</Notice>}
      {people.map((person, index) => {
        const label = people.length === 1 ? "" : ` ${index + 1}`;
        const mayBeMe = person.signer === "self" || people.every(({ signer }) => signer !== "self");
        return (
          <div key={index} className={styles.person}>
            <Field label={`Person${label}`}>
              <Select
                value={person.signer}
                onChange={(event) => change(index, { signer: event.currentTarget.value as Signer })}
              >
                {(Object.keys(SIGNERS) as Signer[])
                  .filter((signer) => signer !== "self" || mayBeMe)
                  .map((signer) => (
                    <option key={signer} value={signer}>
                      {SIGNERS[signer]}
                    </option>
                  ))}
              </Select>
            </Field>
            {person.signer !== "self" && (
              <Field
                label={person.signer === "guardian" ? `Name of the child${label}` : `Name of person${label || " 1"}`}
                error={errors.get(index)}
              >
                <Input
                  name={`participant-${index}`}
                  autoComplete="off"
                  maxLength={MAX_NAME_LENGTH}
                  value={person.name ?? ""}
                  onChange={(event) => change(index, { name: event.currentTarget.value })}
                />
              </Field>
            )}
            {person.signer === "link" && (
              <Field
                label={`Email of person${label || " 1"}`}
                error={fields[`signers.${index}.email`]}
                hint="We'll email them the link. Or leave it empty and send the link yourself after booking."
                optional
              >
                <Input
                  type="email"
                  autoComplete="off"
                  maxLength={MAX_EMAIL_LENGTH}
                  value={person.email}
                  onChange={(event) => change(index, { email: event.currentTarget.value })}
                />
              </Field>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
