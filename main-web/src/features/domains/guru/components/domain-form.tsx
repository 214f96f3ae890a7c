import { useForm } from "react-hook-form";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input } from "@/components/ui/field";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { useAddDomain } from "../api/add-domain";
import styles from "./domains.module.css";
import { fieldErrors } from "@porchlight/shared/client";

/** The form that adds a domain. What was typed stays when the server refuses it. */
export function DomainForm() {
  const add = useAddDomain();
  const form = useForm({ defaultValues: { domain: "", withWww: true } });
  const { errors } = form.formState;
  const submit = ({ domain, withWww }: { domain: string; withWww: boolean }) =>
    onSettled(
      add.mutateAsync({ domain: domain.trim(), withWww }),
      () => {
        form.reset();
        toast.success("Domain added. Now set its DNS records.");
      },
      (reason) => {
        const refusal = fieldErrors(reason).domain;
        form.setError("domain", { message: refusal ?? errorMessage(reason) }, { shouldFocus: true });
      },
    );
  return (
    <Card>
      <Stack as="form" noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <Field label="Your domain" hint="For example www.your-name.com" error={errors.domain?.message}>
          <Input
            type="text"
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            {...form.register("domain", { validate: (text) => text.trim() !== "" || "Enter a domain." })}
          />
        </Field>
        <label className={styles.check}>
          <input type="checkbox" {...form.register("withWww")} />
          <span>Connect it with and without “www”</span>
        </label>
        <ButtonRow>
          <Button type="submit" loading={add.isPending}>
            Add domain
          </Button>
        </ButtonRow>
      </Stack>
    </Card>
  );
}
