/** The first part of the query keys of everything about needs. */
export const needsKey = (userId: string) => ["needs", userId];
