import { ApiError } from "@porchlight/shared/client";
import { PROOF_HEADER, solveProofOfWork } from "@porchlight/shared/proof-of-work";

/**
 * Send a request. If the API asks for a proof of work, because the form is flooded, send it again with the proof, which
 * takes about a second to compute. `onCheck` is called before.
 */
export async function sendWithProof<T>(
  send: (headers: Record<string, string>) => Promise<T>,
  onCheck: () => void,
): Promise<T> {
  try {
    return await send({});
  } catch (reason) {
    if (!(reason instanceof ApiError) || reason.challenge === "") throw reason;
    onCheck();
    return await send({ [PROOF_HEADER]: await solveProofOfWork(reason.challenge) });
  }
}
