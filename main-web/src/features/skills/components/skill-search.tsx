import { Search, X } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { cx } from "@/lib/cx";
import { type AutocompleteSuggestion, useAutocomplete } from "../api/get-autocomplete";
import styles from "./skill-search.module.css";

/** Milliseconds between blur and closing the list, so that a click on it still works (SPEC 9). */
const BLUR_DELAY = 200;

type SkillSearchProps = { value: string; onChange: (text: string) => void };

/** A search field with suggestions: a combobox after the ARIA pattern; focus stays in the field. */
export function SkillSearch({ value, onChange }: SkillSearchProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const closing = useRef<number | undefined>(undefined);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = useAutocomplete(value, isOpen);
  const open = isOpen && suggestions.length > 0;
  const current = open ? suggestions[active] : undefined;

  useEffect(() => () => window.clearTimeout(closing.current), []);

  function changeText(text: string) {
    onChange(text);
    setActive(-1);
    // Of a prerendered page, the text is entered when the app has taken it over. The person may be elsewhere then.
    setIsOpen(document.activeElement === field.current);
  }

  function select({ name }: AutocompleteSuggestion) {
    onChange(name);
    setActive(-1);
    setIsOpen(false);
    field.current?.focus();
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const last = suggestions.length - 1;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) setIsOpen(true);
      else if (event.key === "ArrowDown") setActive(active >= last ? 0 : active + 1);
      else setActive(active <= 0 ? last : active - 1);
    } else if (event.key === "Enter" && current) {
      event.preventDefault();
      select(current);
    } else if (event.key === "Enter") {
      setIsOpen(false);
    } else if (event.key === "Escape" && (open || value)) {
      event.preventDefault();
      if (!open) onChange("");
      setActive(-1);
      setIsOpen(false);
    }
  }

  return (
    <div className={styles.search} role="search">
      <label htmlFor={id} className="visually-hidden">
        Search skills
      </label>
      <Search size={20} aria-hidden="true" className={styles.icon} />
      <input
        ref={field}
        id={id}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={current ? `${id}-${active}` : undefined}
        className={styles.input}
        placeholder="Try guitar or home repair"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        value={value}
        onChange={(event) => changeText(event.target.value)}
        onKeyDown={handleKeyDown}
        onFocus={() => window.clearTimeout(closing.current)}
        onBlur={() => {
          closing.current = window.setTimeout(() => {
            setIsOpen(false);
            setActive(-1);
          }, BLUR_DELAY);
        }}
      />
      {value && (
        <button
          type="button"
          className={styles.clear}
          aria-label="Clear search"
          onClick={() => {
            changeText("");
            field.current?.focus();
          }}
        >
          <X size={18} aria-hidden="true" />
        </button>
      )}
      <div id={`${id}-list`} role="listbox" aria-label="Suggestions" className={styles.list} hidden={!open}>
        {suggestions.map((suggestion, index) => (
          <Option
            key={`${suggestion.category}/${suggestion.name}`}
            id={`${id}-${index}`}
            suggestion={suggestion}
            active={index === active}
            onPick={() => select(suggestion)}
            onPoint={() => setActive(index)}
          />
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {open && `${suggestions.length} ${suggestions.length === 1 ? "suggestion" : "suggestions"}`}
      </p>
    </div>
  );
}

type OptionProps = {
  id: string;
  suggestion: AutocompleteSuggestion;
  active: boolean;
  onPick: () => void;
  onPoint: () => void;
};

function Option({ id, suggestion, active, onPick, onPoint }: OptionProps) {
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) item.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div
      ref={item}
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={cx(styles.option, active && styles.active)}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onPoint}
      onClick={onPick}
      onKeyDown={(event) => event.key === "Enter" && onPick()}
    >
      <span className={styles.name}>{suggestion.name}</span>
      <span className={styles.category}>{suggestion.category}</span>
    </div>
  );
}
