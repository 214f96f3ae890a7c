import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { components } from "@porchlight/shared/api.gen";

type Asked = components["schemas"]["ProposalPayload"];
export type Proposal = components["schemas"]["ProposalData"];

const proposalQuery = (asked: Asked) =>
  queryOptions({
    queryKey: ["need-proposal", asked],
    queryFn: ({ signal }) => api.post<Proposal>("/need-proposals", { body: asked, signal }),
    placeholderData: keepPreviousData,
  });

/** What a need is probably about, and what is fairly paid for it; nothing while there is nothing to go by (null). */
export function useProposal(asked: Asked | null) {
  return useQuery({ ...proposalQuery(asked ?? { description: "", hours: 2 }), enabled: asked !== null });
}
