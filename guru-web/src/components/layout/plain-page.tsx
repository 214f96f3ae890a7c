import type { ReactNode } from "react";

interface PlainPageProps {
  heading: string;
  children?: ReactNode;
  action?: { href: string; label: string } | undefined;
}

/** A page with a single message: not found, suspended or redirecting. */
export function PlainPage({ heading, children, action }: PlainPageProps) {
  return (
    <main className="plain-page" id="content">
      <PorchlightLogo />
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

/** The logo of Porchlight. */
function PorchlightLogo() {
  return (
    <svg className="porch-light" viewBox="0 0 120 96" aria-hidden="true">
      <path className="porch-light-glow" d="M36 44 8 92h104L84 44z" />
      <path className="porch-light-line" d="M60 4v12M42 44h36l-8-20a10.8 10.8 0 0 0-20 0zM52 44a8 8 0 0 0 16 0" />
    </svg>
  );
}
