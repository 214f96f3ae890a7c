/** The key of all packages that a guru gives, and of what people have of them. */
export const packagesKey = (userId: string) => ["guru", userId, "packages"];
