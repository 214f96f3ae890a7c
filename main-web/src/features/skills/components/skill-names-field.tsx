import { X } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { useAutocomplete } from "../api/get-autocomplete";
import styles from "./skills-question.module.css";

const MAX_LENGTH = 60;

export type SkillNames = { names: readonly string[]; typed: string };
export const NO_NAMES: SkillNames = { names: [], typed: "" };

type SkillNamesFieldProps = {
  label: string;
  placeholder: string;
  max: number;
  value: SkillNames;
  onChange: (value: SkillNames) => void;
};

/** Return the names with what is typed, which counts without "Add". */
export function withTyped({ names, typed }: SkillNames): string[] {
  const added = typed.split(",").map((name) => name.trim());
  const known = new Set<string>();
  return [...names, ...added].filter((name) => {
    const key = name.toLowerCase();
    return name !== "" && !known.has(key) && known.add(key);
  });
}

/** A field for a few skills, with suggestions; each one can be removed again. */
export function SkillNamesField({ label, placeholder, max, value, onChange }: SkillNamesFieldProps) {
  const list = useId();
  const [isAsking, setIsAsking] = useState(false);
  const suggestions = useAutocomplete(value.typed, isAsking);
  const { names, typed } = value;
  const add = () => onChange({ names: withTyped(value).slice(0, max), typed: "" });
  return (
    <div className={styles.field}>
      {names.length < max && (
        <div className={styles.entry}>
          <Field label={label}>
            <Input
              list={list}
              autoComplete="off"
              enterKeyHint="enter"
              maxLength={MAX_LENGTH}
              placeholder={placeholder}
              value={typed}
              onFocus={() => setIsAsking(true)}
              onChange={(event) => onChange({ names, typed: event.target.value })}
              onKeyDown={(event) => {
                // Enter in an empty field sends the form.
                if (event.key !== "Enter" || event.nativeEvent.isComposing || typed.trim() === "") return;
                event.preventDefault();
                add();
              }}
            />
          </Field>
          <Button variant="secondary" disabled={typed.trim() === ""} onClick={add}>
            Add<span className="visually-hidden">: {label}</span>
          </Button>
        </div>
      )}
      {names.length >= max && <p className={styles.label}>{label}</p>}
      <datalist id={list}>
        {suggestions.map(({ name, category }) => (
          <option key={`${category}/${name}`} value={name} />
        ))}
      </datalist>
      {names.length > 0 && (
        <ul className={styles.names} aria-label={label}>
          {names.map((name) => (
            <li key={name}>
              {name}
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => onChange({ names: names.filter((other) => other !== name), typed })}
              >
                <X size={16} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
