import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type MySkills = Schemas["OwnSkillsData"];
export type ListingFields = Required<Schemas["SkillListingPayload"]>;
