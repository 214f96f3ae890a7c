import type { ReactNode } from "react";

import { TitleText } from "./title-text";

export function PageHeading({ eyebrow, title, children }: { eyebrow?: string; title: string; children?: ReactNode }) {
  return (
    <div className="page-heading">
      {eyebrow !== undefined && eyebrow !== "" && <p className="eyebrow">{eyebrow}</p>}
      <h1>
        <TitleText>{title}</TitleText>
      </h1>
      {children}
    </div>
  );
}
