/** The logo: a roof with a light under it. Decorative; the brand name stands beside it. */
export function Logo({ size = 28, className }: { size?: number; className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <circle cx="16" cy="20.5" r="8" fill="var(--color-light)" opacity="0.18" />
      <circle cx="16" cy="20.5" r="4.2" fill="var(--color-light)" />
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
