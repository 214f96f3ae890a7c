import { QuestionFields } from "@/components/questions/question-fields";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { personName } from "@/lib/person-name";
import type { Question } from "@/lib/questions";
import { today } from "@/lib/wall-time";
import type { CustomerField, CustomerFormState } from "../lib/use-customer-form";
import { useGrants } from "../packages/packages-api";
import styles from "./calendar.module.css";

const MAX_NAME = 80;
const MAX_NOTE = 1000;

type CustomerFieldsProps = {
  form: CustomerFormState;
  services: readonly { id: string; name: string }[];
  /** The questions of the chosen service. */
  questions: readonly Question[];
  /** The guru's time zone, "" before it is known. */
  zone: string;
};

/** What is booked, when and for whom. */
export function CustomerFields({ form, services, questions, zone }: CustomerFieldsProps) {
  const { values, errors, set } = form;
  // Neighbors with an account book with their package themselves.
  const found = useGrants("current").data?.pages.flatMap((page) => page.grants) ?? [];
  const grants = found.filter(({ isCustomer, serviceId }) => isCustomer && serviceId === values.serviceId);

  const text = (name: CustomerField, label: string, more: { hint?: string; optional?: boolean } = {}) => (
    <Field label={label} error={errors[name]} {...more}>
      <TextArea
        rows={2}
        maxLength={MAX_NOTE}
        value={values[name]}
        onChange={(event) => set(name, event.target.value)}
      />
    </Field>
  );

  return (
    <>
      <Field label="Service" error={errors.serviceId}>
        <Select value={values.serviceId} onChange={(event) => set("serviceId", event.target.value)}>
          {services.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <div className={styles.pair}>
        <Field label="Date" error={errors.startsAt}>
          <Input
            type="date"
            min={zone ? today(zone) : undefined}
            value={values.day}
            onChange={(event) => set("day", event.target.value)}
          />
        </Field>
        <Field label="Time">
          <Input type="time" value={values.time} onChange={(event) => set("time", event.target.value)} />
        </Field>
      </div>
      {grants.length > 0 && (
        <Field label="Package" hint="The session is then one of the package." optional>
          <Select
            value={values.packageId}
            onChange={(event) => form.choosePackage(grants.find(({ id }) => id === event.target.value) ?? null)}
          >
            <option value="">None</option>
            {grants.map((grant) => (
              <option key={grant.id} value={grant.id}>
                {personName(grant)}: {grant.name}, {grant.left} left
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Customer's name" error={errors.name}>
        <Input maxLength={MAX_NAME} value={values.name} onChange={(event) => set("name", event.target.value)} />
      </Field>
      <Field
        label="Email"
        optional
        hint="They get a confirmation and a link to move or cancel. Without it, tell them yourself."
        error={errors.email}
      >
        <Input type="email" value={values.email} onChange={(event) => set("email", event.target.value)} />
      </Field>
      <Field label="Spots" error={errors.party}>
        <Select value={values.party} onChange={(event) => set("party", event.target.value)}>
          {Array.from({ length: 10 }, (_, index) => (
            <option key={index} value={index + 1}>
              {index + 1}
            </option>
          ))}
        </Select>
      </Field>
      {(Number(values.party) > 1 || errors.participants !== undefined) &&
        text("participants", "Who comes", {
          hint: "One name per line. Needed for a session with waivers.",
          optional: true,
        })}
      {(errors.address !== undefined || values.address !== "") && text("address", "Where you meet")}
      <QuestionFields
        questions={questions}
        answers={form.answers}
        errors={errors}
        allOptional
        onChange={form.changeAnswers}
      />
      {text("note", "Note", { optional: true })}
    </>
  );
}
