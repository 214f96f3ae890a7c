export { requirementsQuery, useRequirements } from "./api/get-requirements";
