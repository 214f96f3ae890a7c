import styles from "@/components/ui/details.module.css";

/** The name in a row, which opens the details. */
export function NameButton({ name, note, onOpen }: { name: string; note?: string; onOpen: () => void }) {
  return (
    <span className={styles.naming}>
      <button type="button" className={styles.name} onClick={onOpen}>
        {name}
      </button>
      {note && <span className={styles.note}>{note}</span>}
    </span>
  );
}
