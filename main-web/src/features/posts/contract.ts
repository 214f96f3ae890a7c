export type { PostText } from "./guru/lib/types";
