/** Return the API URL of a lead. */
export const leadUrl = (id: string) => `/guru/leads/${encodeURIComponent(id)}`;
