import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Pass = Schemas["PassData"];
export type Roster = Schemas["RosterData"];
export type RosterSession = Schemas["RosterSession"];
export type RosterPerson = Schemas["RosterPerson"];
export type CheckInPayload = Schemas["CheckInPayload"];
