import type { components } from "@porchlight/shared/api.gen";
import { ApiError } from "@porchlight/shared/client";

type Schemas = components["schemas"];

export type Status = Schemas["WizardStatus"];
export type Site = Schemas["WizardSite"];
export type WizardProfile = Schemas["WizardProfile"];
export type RequiredDocument = Schemas["RequiredDocuments"];
export type Category = Schemas["TaxonomyResponse"];
export type SubdomainCheck = Schemas["SubdomainData"];
export type Published = Schemas["PublishData"];
export type WizardServices = Schemas["WizardServices"];
export type WizardSkills = Schemas["WizardSkills"];
export type WizardSkillsPayload = Schemas["WizardSkillsPayload"];
export type ProposedHours = Schemas["ProposedHours"];
export type WizardServicesPayload = Schemas["WizardServicesPayload"];

/** Return the message of a failed save (SPEC 8.6). */
export function saveErrorText(reason: unknown): string {
  const message = reason instanceof ApiError ? reason.message : "";
  return message || "An unknown error occurred. Please try again.";
}
