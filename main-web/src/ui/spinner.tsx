import styles from "./spinner.module.css";

/** A small turning ring; decorative, the words beside it say what is awaited. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
