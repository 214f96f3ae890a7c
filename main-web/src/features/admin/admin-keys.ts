/** The first part of every query of the admin area, so that signing out forgets them all. */
export const ADMIN = "admin";
