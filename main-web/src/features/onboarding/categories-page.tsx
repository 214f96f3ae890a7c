import { FileText } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { CategoryIcon } from "../../ui/category-icon";
import { cx } from "../../ui/cx";
import { Notice } from "../../ui/notice";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import { UnsavedGuard } from "../../ui/unsaved-guard";
import { useStatus } from "./get-status";
import { useTaxonomy } from "./get-taxonomy";
import { saveErrorText, type TaxonomyCategory } from "./own";
import { usePostCategories } from "./post-categories";
import { SaveNote } from "./save-note";
import { useAutosave } from "./use-autosave";
import { Wizard } from "./wizard";
import styles from "./wizard.module.css";

/** The second step: what one offers (SPEC 2.14). */
export function CategoriesPage() {
  const taxonomy = useTaxonomy();
  const status = useStatus();
  const failed = taxonomy.isError || (status.isError && !status.data);
  const ready = taxonomy.data && status.data && status.isFetchedAfterMount;
  return (
    <Wizard
      at={paths.onboardingCategories}
      title="Choose what you offer"
      lead="Pick as many as you like. You can change them at any time."
      description="The second step to becoming a guru: the kinds of things you teach or help with."
    >
      {failed && (
        <ErrorState
          title="The categories are out of reach"
          message="Could not load categories. Please try refreshing the page."
          onRetry={() => void Promise.all([taxonomy.refetch(), status.refetch()])}
          retrying={taxonomy.isFetching || status.isFetching}
        />
      )}
      {!failed && !ready && <Loading />}
      {!failed && ready && <CategoriesForm taxonomy={taxonomy.data} picks={Object.keys(status.data.picks)} />}
    </Wizard>
  );
}

function CategoriesForm({ taxonomy, picks }: { taxonomy: readonly TaxonomyCategory[]; picks: readonly string[] }) {
  const offered = taxonomy.filter(({ comingSoon }) => !comingSoon);
  const [chosen, setChosen] = useState(() => new Set(offered.map(({ slug }) => slug).filter((slug) => picks.includes(slug))));
  const [trouble, setTrouble] = useState("");
  const [sending, setSending] = useState(false);
  const navigate = useNavigate();
  const save = usePostCategories();
  const draft = useAutosave(save);

  function toggle(slug: string) {
    const now = new Set(chosen);
    if (!now.delete(slug)) now.add(slug);
    setChosen(now);
    setTrouble("");
    draft.schedule([...now]);
  }

  async function goOn() {
    if (chosen.size === 0) {
      setTrouble("Please choose at least one.");
      return;
    }
    setSending(true);
    await draft.settle();
    try {
      await save([...chosen]);
      void navigate(paths.onboardingRequirements);
    } catch (reason) {
      setTrouble(saveErrorText(reason));
      setSending(false);
    }
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void goOn();
      }}
    >
      <fieldset className={styles.cards}>
        <legend className="visually-hidden">What you offer</legend>
        {taxonomy.map((category) => (
          <Choice
            key={category.slug}
            category={category}
            chosen={chosen.has(category.slug)}
            onToggle={() => toggle(category.slug)}
          />
        ))}
      </fieldset>
      {trouble && <Notice tone="danger">{trouble}</Notice>}
      <div className={styles.foot}>
        <Button type="submit" loading={sending}>
          Continue
        </Button>
        <SaveNote state={draft.state} />
      </div>
      <UnsavedGuard unsaved={draft.state === "failed"} />
    </form>
  );
}

type ChoiceProps = { category: TaxonomyCategory; chosen: boolean; onToggle: () => void };

function Choice({ category, chosen, onToggle }: ChoiceProps) {
  const { name, icon, comingSoon, requirements } = category;
  const papers = requirements.requires_license || requirements.requires_gl || requirements.requires_auto_insurance;
  return (
    <label className={cx(styles.choice, comingSoon && styles.later)}>
      <span className={styles.icon}>
        <CategoryIcon name={icon} size={20} />
      </span>
      <span className={styles.choiceText}>
        <span className={styles.choiceName}>{name}</span>
        {!comingSoon && papers && (
          <span className={cx(styles.note, styles.papersNote)}>
            <FileText size={14} aria-hidden="true" />
            Needs documents
          </span>
        )}
      </span>
      {comingSoon ? (
        <Badge tone="lamp">Coming Soon</Badge>
      ) : (
        <input type="checkbox" checked={chosen} onChange={onToggle} />
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
