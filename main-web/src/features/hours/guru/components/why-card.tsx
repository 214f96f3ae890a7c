import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SectionCard } from "@/components/ui/section-card";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import type { Service } from "@/features/services/contract";
import { addDays, today } from "@/lib/wall-time";
import { useExplainStart } from "../api/explain-start";
import styles from "./hours.module.css";

/** Answers why a service is not offered at a time. */
export function WhyCard({ services, zone }: { services: readonly Service[]; zone: string }) {
  const ask = useExplainStart();
  const [question, setQuestion] = useState({ serviceId: "", day: addDays(today(zone), 1), time: "09:00" });
  const serviceId = question.serviceId || (services.find(({ openForBooking }) => openForBooking) ?? services[0])?.id;
  const isComplete = serviceId !== undefined && question.day !== "" && question.time !== "";

  function set(part: Partial<typeof question>) {
    setQuestion({ ...question, ...part });
    ask.reset();
  }

  return (
    <SectionCard id="hours-why" title="Why is this time not offered?">
      <Stack
        as="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) ask.mutate({ ...question, serviceId });
        }}
      >
        <Field label="Service">
          <Select value={serviceId ?? ""} onChange={(event) => set({ serviceId: event.target.value })}>
            {services.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <div className={styles.moment}>
          <Field label="Day">
            <Input type="date" value={question.day} onChange={(event) => set({ day: event.target.value })} />
          </Field>
          <Field label="Time">
            <Input type="time" value={question.time} onChange={(event) => set({ time: event.target.value })} />
          </Field>
        </div>
        <ButtonRow>
          <Button type="submit" variant="secondary" loading={ask.isPending} disabled={!isComplete}>
            Ask
          </Button>
        </ButtonRow>
      </Stack>
      {ask.isError && <Notice tone="danger">{errorMessage(ask.error)}</Notice>}
      <div role="status">{ask.data && <p className={styles.answer}>{ask.data.sentence}</p>}</div>
    </SectionCard>
  );
}
