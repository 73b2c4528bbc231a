// How the data of a route are asked for while its page opens. A refusal of the server leads to the root, for pages that
// wait for their data as for those that are drawn meanwhile; where nobody answered, the page says so and can try again.
import { codeOf } from "./errors.ts";

interface Navigation {
  /** "preload" where a link is only pointed at, "stay" where the page is there already. */
  cause: "preload" | "enter" | "stay";
  location: { pathname: string };
}

interface FailedLoad {
  error: unknown;
  pathname: string;
}

type Listener = (error: unknown) => void;

let tell: Listener | null = null;
let waiting: FailedLoad | null = null;

const isStillThere = ({ pathname }: FailedLoad): boolean => window.location.pathname === pathname;

function give(failed: FailedLoad): void {
  if (!tell) waiting = failed;
  else if (isStillThere(failed)) tell(failed.error);
}

/** For a page that shows by itself that its data are on their way. */
export function loadMeanwhile({ cause, location: { pathname } }: Navigation, data: Promise<unknown>): void {
  data.catch((error: unknown) => {
    if (cause === "enter" && codeOf(error) !== undefined) give({ error, pathname });
  });
}

/** Whoever can lead away from a page whose data were refused; what failed before that is told now. */
export function onFailedLoad(listener: Listener): () => void {
  tell = listener;
  const failed = waiting;
  waiting = null;
  if (failed) give(failed);
  return () => {
    if (tell === listener) tell = null;
  };
}
