import { leadDetailNames, leadDetails, mapLeadDetails } from "@porchlight/shared/lead-details";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import type { Guru } from "../../../lib/types";
import { LeadForm } from "./lead-form";

const guru = { subdomain: "ana", character: "Chef Ana" } as Guru;

test.each(leadDetailNames)("the form without JavaScript keeps %s and shows its hint and error", (name) => {
  const posted = {
    sent: false,
    values: mapLeadDetails((detail) => `typed ${detail}`),
    errors: { [name]: "Please change this." },
    message: "Please check the highlighted fields.",
  };
  const html = renderToStaticMarkup(<LeadForm guru={guru} services={[]} posted={posted} />);
  const { label, hint, maxLength } = leadDetails[name];
  const input = new RegExp(`<input [^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? "";
  expect(html).toContain(`<label for="lead-${name}">${label}<span class="optional"> (optional)</span></label>`);
  expect(input).toContain(`maxLength="${maxLength}"`);
  expect(input).toContain(`value="typed ${name}"`);
  expect(input).toContain('aria-invalid="true"');
  expect(html).toContain(`<p class="field-error" id="lead-${name}-error">Please change this.</p>`);
  if (hint !== undefined) expect(html).toContain(`<p class="field-hint" id="lead-${name}-hint">${hint}</p>`);
  const described = hint === undefined ? `lead-${name}-error` : `lead-${name}-hint lead-${name}-error`;
  expect(input).toContain(`aria-describedby="${described}"`);
});
