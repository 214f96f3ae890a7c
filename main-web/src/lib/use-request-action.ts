import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { useSession } from "./session/session-context";

type ActionRequest = {
  action: "book-skill-session" | "find-teachers" | "book-service";
  category: string;
  /** The message that the dashboard shows for the request. */
  message: string;
  /** The message that the login page shows to signed-out users. */
  signIn: string;
};

/** Return a function that takes signed-in users to the dashboard, and others to the login page with a return path (SPEC 4). */
export function useRequestAction() {
  const session = useSession();
  const navigate = useNavigate();
  const location = useLocation();
  return ({ action, category, message, signIn }: ActionRequest) => {
    if (session.status === "signed-in") {
      void navigate(paths.dashboard, { state: { action, category, message } });
      return;
    }
    const from = location.pathname + location.search + location.hash;
    void navigate(paths.login, { state: { from, message: signIn } });
  };
}
