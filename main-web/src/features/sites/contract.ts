export type { SiteProfileUpdate } from "./guru/lib/types";
