import { render } from "@testing-library/react";
import { CircleAlert, Eye } from "lucide-react";
import { expect, it } from "vitest";
// The data of an icon, which the package's types do not name.
// @ts-expect-error -- see above
import * as alert from "../../../node_modules/lucide-react/dist/esm/icons/circle-exclamation-point.mjs";
// @ts-expect-error -- see above
import * as eye from "../../../node_modules/lucide-react/dist/esm/icons/eye.mjs";
import createLucideIcon from "./lucide-icon";

type Module = { __iconData: Parameters<typeof createLucideIcon>[0] };

it.each([
  ["an icon", Eye, eye],
  ["a renamed icon", CircleAlert, alert],
])("draws %s as lucide-react does", (_name, Theirs, module) => {
  const Ours = createLucideIcon((module as unknown as Module).__iconData);
  for (const props of [
    {},
    { size: 16, "aria-hidden": "true" },
    { className: "mark", fill: "red", strokeWidth: 3 },
  ] as const) {
    const [ours, theirs] = [render(<Ours {...props} />), render(<Theirs {...props} />)];
    expect(ours.container.firstElementChild?.isEqualNode(theirs.container.firstElementChild)).toBe(true);
  }
});
