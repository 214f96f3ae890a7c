import type { ReactNode } from "react";

import { Icon } from "./icon";

/** An error message. */
export function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="notice" role="status">
      <Icon name="triangle-alert" />
      <div>
        <p className="notice-title">{title}</p>
        {children}
      </div>
    </div>
  );
}
