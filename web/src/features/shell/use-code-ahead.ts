import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** What people open most from wherever they are. */
const OFTEN = "/clients/view/$id";
/** Safari cannot say when it has nothing to do. */
const QUIET_MS = 2000;

/** Loads the code of the page that is opened most once the browser has nothing else to do, so that its first click is quick. */
export function useCodeAhead(): void {
  const router = useRouter();
  useEffect(() => {
    // What does not come is asked for again when the page is opened.
    const load = () => void router.loadRouteChunk(router.routesByPath[OFTEN])?.catch(() => undefined);
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(load, QUIET_MS);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, [router]);
}
