/** Return the API URL of a post. */
export const postUrl = (id: string) => `/guru/posts/${encodeURIComponent(id)}`;
