import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "../app/paths";
import { useSession } from "./session/session-context";

type Wish = {
  action: "book-skill-session" | "find-teachers" | "book-service";
  category: string;
  /** What the dashboard says the person came for. */
  message: string;
  /** What the login page says to somebody signed out. */
  signIn: string;
};

/** Booking or finding teachers: signed out to login with a return path, signed in to the dashboard (SPEC 4). */
export function useAskFor() {
  const session = useSession();
  const navigate = useNavigate();
  const location = useLocation();
  return ({ action, category, message, signIn }: Wish) => {
    if (session.status === "signed-in") {
      void navigate(paths.dashboard, { state: { action, category, message } });
      return;
    }
    const from = location.pathname + location.search + location.hash;
    void navigate(paths.login, { state: { from, message: signIn } });
  };
}
