import { useHold } from "../api/get-hold";
import { startTitle } from "../lib/session-texts";

/** The words before what someone is booking, such as "Create your account to book", and then what and when. */
export function HeldTitle({ token, children }: { token: string; children: string }) {
  const { data } = useHold(token);
  return <>{data === undefined ? children : `${children} ${startTitle(data)}`}</>;
}
