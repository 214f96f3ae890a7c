/** The prefix of all query keys of a user's exchanges. */
export const exchangesKey = (userId: string) => ["exchanges", userId];
