/** The sign of the house: a roof with a lamp under it. Decorative; the word beside it carries the name. */
export function Mark({ size = 28, className }: { size?: number; className?: string }) {
  return (
    <svg className={className} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <circle cx="16" cy="20.5" r="8" fill="var(--color-lamp)" opacity="0.18" />
      <circle cx="16" cy="20.5" r="4.2" fill="var(--color-lamp)" />
      <path
        d="M4 16.5 16 6l12 10.5"
        fill="none"
        stroke="var(--color-primary)"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
