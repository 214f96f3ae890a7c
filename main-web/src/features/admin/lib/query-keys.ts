/** The first part of every query key of the admin area, so that signing out clears them all. */
export const ADMIN_KEY = "admin";
