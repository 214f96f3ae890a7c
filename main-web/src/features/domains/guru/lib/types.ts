import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type CustomDomain = Schemas["CustomDomain"];
export type CustomDomains = Schemas["CustomDomains"];
export type MainAddress = Schemas["MainAddress"];
export type DnsRecord = Schemas["DnsRecord"];
