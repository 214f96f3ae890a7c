import { useMutation, useQueryClient } from "@tanstack/react-query";
import { mySkillsQuery, type MySkills } from "../api/get-my-skills";

/** Run a request that returns the user's changed skills, and refresh everything that shows them. */
export function useMySkillsMutation<Variables>(mutationFn: (variables: Variables) => Promise<MySkills>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (skills) => {
      queries.setQueryData(mySkillsQuery.queryKey, skills);
      void queries.invalidateQueries({ queryKey: ["listings"] });
      // Matches, suggested skills and the profile show the same skills.
      void queries.invalidateQueries({ queryKey: ["skills"], predicate: ({ queryKey }) => queryKey[1] !== "mine" });
      void queries.invalidateQueries({ queryKey: ["profile"] });
    },
  });
}
