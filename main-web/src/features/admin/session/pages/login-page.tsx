import { useQueryClient } from "@tanstack/react-query";
import { useForm, useWatch } from "react-hook-form";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Logo } from "@/components/ui/logo";
import { PageHead } from "@/components/layout/page-head";
import { ADMIN_KEY } from "../../lib/query-keys";
import styles from "./login-page.module.css";
import { logIn } from "../api/log-in";

/** The admin login by key (SPEC 2.11, 5, 8.4). */
export function LoginPage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({ defaultValues: { adminKey: "" } });
  const { errors, isSubmitting } = form.formState;
  const key = useWatch({ control: form.control, name: "adminKey" });

  async function submit() {
    const error = await logIn(key.trim());
    if (error === null) {
      queries.removeQueries({ queryKey: [ADMIN_KEY] });
      await navigate(paths.admin);
      return;
    }
    form.setError("adminKey", { message: error });
    form.setFocus("adminKey", { shouldSelect: true });
  }

  return (
    <PageHead title="Admin login" description="For Porchlight staff.">
      <div className={styles.page}>
        <form className={styles.card} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
          <header className={styles.header}>
            <Logo size={40} />
            <h1 className={styles.title}>Admin Login</h1>
            <p className={styles.lead}>For Porchlight staff.</p>
          </header>
          <Field label="Admin key" error={errors.adminKey?.message}>
            <Input
              type="password"
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
              {...form.register("adminKey", { onChange: () => form.clearErrors("adminKey") })}
            />
          </Field>
          <Button type="submit" block loading={isSubmitting} disabled={key.trim() === ""}>
            {isSubmitting ? "Logging in..." : "Login"}
          </Button>
          <p className={styles.back}>
            <Link to={paths.home}>Back to Home</Link>
          </p>
        </form>
      </div>
    </PageHead>
  );
}
