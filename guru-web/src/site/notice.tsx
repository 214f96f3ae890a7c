import type { ReactNode } from "react";

import { Icon } from "../ui/icon";

/** Something went wrong, said calmly. */
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
