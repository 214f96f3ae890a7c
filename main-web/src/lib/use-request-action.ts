import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import type { RequestedAction } from "./requested-action";
import { useSession } from "./session/session-context";

type ActionRequest = Pick<RequestedAction, "action" | "category" | "message"> &
  Partial<Pick<RequestedAction, "service" | "listing">>;

/**
 * Return a function that takes signed-in users to the dashboard (SPEC 4). Others sign in first; `signIn` is the message
 * of the login page.
 */
export function useRequestAction() {
  const session = useSession();
  const navigate = useNavigate();
  return (request: ActionRequest, signIn: string) => {
    if (session.status === "signed-in") {
      void navigate(paths.dashboard, { state: request });
      return;
    }
    const from = `${paths.dashboard}?${new URLSearchParams(request).toString()}`;
    void navigate(paths.login, { state: { from, message: signIn } });
  };
}
