export { useServiceQuestions } from "./guru/api/get-service-booking";
export { useServices } from "./guru/api/get-services";
export type { Service, ServiceList } from "./guru/lib/types";
