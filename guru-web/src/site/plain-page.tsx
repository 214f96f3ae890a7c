import type { ReactNode } from "react";

interface PlainPageProps {
  heading: string;
  children?: ReactNode;
  action?: { href: string; label: string } | undefined;
}

/** A page that only says one thing: not found, suspended, on its way elsewhere. */
export function PlainPage({ heading, children, action }: PlainPageProps) {
  return (
    <main className="plain" id="content">
      <PorchLight />
      <h1>{heading}</h1>
      {children}
      {action !== undefined && (
        <p>
          <a className="button" href={action.href}>
            {action.label}
          </a>
        </p>
      )}
    </main>
  );
}

/** A lamp over a door: the sign of the house. */
function PorchLight() {
  return (
    <svg className="lamp" viewBox="0 0 120 96" aria-hidden="true">
      <path className="lamp-glow" d="M36 44 8 92h104L84 44z" />
      <path className="lamp-line" d="M60 4v12M42 44h36l-8-20a10.8 10.8 0 0 0-20 0zM52 44a8 8 0 0 0 16 0" />
    </svg>
  );
}
