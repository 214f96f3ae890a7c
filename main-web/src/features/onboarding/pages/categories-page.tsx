import { FileText } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { useAutosave } from "@/lib/use-autosave";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CategoryIcon } from "@/components/ui/category-icon";
import { cx } from "@/lib/cx";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useCategories } from "@/lib/get-categories";
import { useStatus } from "../api/get-status";
import { saveErrorText, type Category } from "../lib/types";
import { useSaveCategories } from "../api/save-categories";
import { SaveStatus } from "../components/save-status";
import { DRAFT_AUTOSAVE } from "../lib/draft-autosave";
import { Wizard } from "../components/wizard";
import { limitText, useListedLimit } from "../lib/listed-limit";
import styles from "../components/wizard.module.css";

/** Step 2: categories (SPEC 2.14). */
export function CategoriesPage() {
  const taxonomy = useCategories();
  const status = useStatus();
  const failed = taxonomy.isError || (status.isError && !status.data);
  const isReady = taxonomy.data && status.data && status.isFetchedAfterMount;
  return (
    <Wizard
      at={paths.onboardingCategories}
      showsStatusError
      title="Choose what you offer"
      lead="Choose what you teach or help with. You can change it anytime."
      description="Step 2 of becoming a guru: choose what you teach or help with."
    >
      {failed && (
        <ErrorState
          title="We couldn't load categories"
          message="Could not load categories. Please try refreshing the page."
          onRetry={() => void Promise.all([taxonomy.refetch(), status.refetch()])}
          retrying={taxonomy.isFetching || status.isFetching}
        />
      )}
      {!failed && !isReady && <Loading />}
      {!failed && isReady && <CategoriesForm taxonomy={taxonomy.data} picks={Object.keys(status.data.picks)} />}
    </Wizard>
  );
}

function CategoriesForm({ taxonomy, picks }: { taxonomy: readonly Category[]; picks: readonly string[] }) {
  const offered = taxonomy.filter(({ comingSoon }) => !comingSoon);
  const [selected, setSelected] = useState(
    () => new Set(offered.map(({ slug }) => slug).filter((slug) => picks.includes(slug))),
  );
  const [error, setError] = useState("");
  const [sending, setSending] = useState(false);
  const navigate = useNavigate();
  const save = useSaveCategories();
  const draft = useAutosave(save, DRAFT_AUTOSAVE);
  const listed = useListedLimit();

  function toggle(slug: string) {
    const next = new Set(selected);
    if (!next.delete(slug)) next.add(slug);
    setSelected(next);
    setError("");
    draft.schedule([...next]);
  }

  async function continueToNextStep() {
    if (selected.size === 0) {
      setError("Please choose at least one.");
      return;
    }
    setSending(true);
    await draft.cancel();
    try {
      await save([...selected]);
      void navigate(paths.onboardingRequirements);
    } catch (reason) {
      setError(saveErrorText(reason));
      setSending(false);
    }
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void continueToNextStep();
      }}
    >
      {listed && <p className={styles.soft}>{limitText(listed, selected.size)}</p>}
      <fieldset className={styles.cards}>
        <legend className="visually-hidden">What you offer</legend>
        {taxonomy.map((category) => (
          <Choice
            key={category.slug}
            category={category}
            selected={selected.has(category.slug)}
            onToggle={() => toggle(category.slug)}
          />
        ))}
      </fieldset>
      {listed && selected.size > listed.limit && (
        <Notice tone="warning">
          You chose {selected.size}. {limitText(listed, selected.size)} The others wait, and you can{" "}
          <Link to={paths.pricing}>choose a plan that shows more</Link>.
        </Notice>
      )}
      {error && <Notice tone="danger">{error}</Notice>}
      <div className={styles.foot}>
        <Button type="submit" loading={sending}>
          Continue
        </Button>
        <SaveStatus state={draft.state} />
      </div>
      <UnsavedGuard unsaved={draft.state === "failed"} />
    </form>
  );
}

type ChoiceProps = { category: Category; selected: boolean; onToggle: () => void };

function Choice({ category, selected, onToggle }: ChoiceProps) {
  const { slug, name, icon, examples, comingSoon, requirements } = category;
  const needsDocuments =
    requirements.requires_license || requirements.requires_gl || requirements.requires_auto_insurance;
  return (
    <label className={cx(styles.choice, comingSoon && styles.later)}>
      <span className={styles.icon}>
        <CategoryIcon name={icon} size={20} />
      </span>
      <span className={styles.choiceText}>
        <span className={styles.choiceName} id={`${slug}-name`}>
          {name}
        </span>
        <span id={`${slug}-notes`}>
          {examples.length > 0 && <span className={cx(styles.note, styles.examples)}>{examples.join(", ")}</span>}
          {!comingSoon && needsDocuments && (
            <span className={cx(styles.note, styles.documentsNote)}>
              <FileText size={14} aria-hidden="true" />
              Needs documents
            </span>
          )}
        </span>
      </span>
      {comingSoon ? (
        <Badge tone="warning">Coming Soon</Badge>
      ) : (
        <input
          type="checkbox"
          aria-labelledby={`${slug}-name`}
          aria-describedby={`${slug}-notes`}
          checked={selected}
          onChange={onToggle}
        />
      )}
    </label>
  );
}

function Loading() {
  return (
    <div className={styles.cards} aria-busy="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((n) => (
        <Skeleton key={n} height="4.75rem" radius="md" />
      ))}
    </div>
  );
}
