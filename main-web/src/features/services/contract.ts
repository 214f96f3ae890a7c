export { useServices } from "./guru/api/get-services";
export type { Service, ServiceList } from "./guru/lib/types";
