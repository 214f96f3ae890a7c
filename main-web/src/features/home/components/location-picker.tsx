import { LocateFixed, MapPin } from "lucide-react";
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import styles from "./location-picker.module.css";
import type { LocationLabel } from "../lib/use-location-label";

const REFUSED = "We couldn't get your location. Change it to your city and state.";

/** The location in the hero, with "Change": type "city, state", then Set or Enter. */
export function LocationPicker({ location }: { location: LocationLabel }) {
  const [editing, setEditing] = useState(false);
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const change = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);

  useEffect(() => {
    if (editing) input.current?.focus();
    else if (wasEditing.current) change.current?.focus();
    wasEditing.current = editing;
  }, [editing]);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!location.setLocation(text)) return;
    setEditing(false);
    setText("");
  }

  if (editing) {
    return (
      <form className={styles.form} onSubmit={submit}>
        <label className="visually-hidden" htmlFor="hero-location">
          Your location: city, state
        </label>
        <MapPin size={18} aria-hidden="true" />
        <input
          id="hero-location"
          ref={input}
          className={styles.input}
          value={text}
          maxLength={80}
          placeholder="City, state"
          autoComplete="address-level2"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && setEditing(false)}
        />
        <Button type="submit" size="sm">
          Set
        </Button>
        <Button size="sm" variant="ghost" onClick={() => setEditing(false)}>
          Cancel
        </Button>
      </form>
    );
  }

  return (
    <div className={styles.picker}>
      <p className={styles.label} role="status">
        {location.detecting ? <Spinner /> : <MapPin size={18} aria-hidden="true" />}
        <span className={styles.place}>
          {location.detecting && "Finding your location..."}
          {!location.detecting && (location.failed ? REFUSED : (location.label ?? "Your neighborhood"))}
        </span>
      </p>
      {location.canDetect && !location.detecting && (
        <button type="button" className={styles.action} onClick={location.detect}>
          <LocateFixed size={15} aria-hidden="true" />
          <span className={styles.buttonText}>Use my location</span>
        </button>
      )}
      <button
        ref={change}
        type="button"
        className={styles.action}
        aria-label="Change location"
        onClick={() => setEditing(true)}
      >
        Change
      </button>
    </div>
  );
}
