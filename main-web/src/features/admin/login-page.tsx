import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type SubmitEvent } from "react";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Field, Input } from "../../ui/field";
import { Mark } from "../../ui/mark";
import { Page } from "../../ui/page";
import { ADMIN } from "./admin-keys";
import styles from "./login-page.module.css";
import { postLogin } from "./post-login";

/** The admin key opens the admin area (SPEC 2.11, 5, 8.4). */
export function LoginPage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [key, setKey] = useState("");
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState("");

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (pending || key.trim() === "") return;
    setPending(true);
    setRefusal("");
    const words = await postLogin(key.trim());
    setPending(false);
    if (words === null) {
      queries.removeQueries({ queryKey: [ADMIN] });
      await navigate(paths.admin);
      return;
    }
    setRefusal(words);
    field.current?.select();
  }

  return (
    <Page title="Admin login" description="For the people who look after Porchlight.">
      <div className={styles.page}>
        <form className={styles.card} noValidate onSubmit={(event) => void submit(event)}>
          <header className={styles.header}>
            <Mark size={40} />
            <h1 className={styles.title}>Admin Login</h1>
            <p className={styles.lead}>For the people who look after Porchlight.</p>
          </header>
          <Field label="Admin key" error={refusal || undefined}>
            <Input
              ref={field}
              type="password"
              name="admin-key"
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
              value={key}
              onChange={(event) => {
                setKey(event.target.value);
                setRefusal("");
              }}
            />
          </Field>
          <Button type="submit" block loading={pending} disabled={key.trim() === ""}>
            {pending ? "Logging in..." : "Login"}
          </Button>
          <p className={styles.back}>
            <Link to={paths.home}>Back to Home</Link>
          </p>
        </form>
      </div>
    </Page>
  );
}
