import { api } from "@/lib/api-client";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Place the user around a point, which the server keeps as a coarse cell, or (null) around their town again. */
export function useUpdateArea() {
  return useMySkillsMutation((point: { latitude: number; longitude: number } | null) =>
    point ? api.PUT("/skills/area", { body: point }) : api.DELETE("/skills/area"),
  );
}
