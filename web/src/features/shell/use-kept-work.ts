import { useEffect } from "react";
import { useSession } from "../../core/session-state.ts";

/** Empties what this browser kept of others, and goes on with what it kept of whoever is signed in. */
export function useKeptWork(): void {
  const session = useSession();
  useEffect(() => {
    const goOn = async () => {
      const { forgetKept, keptName } = await import("../../core/kept.ts");
      if (await forgetKept(keptName())) await (await import("../notes/restore-kept.ts")).restoreKept();
    };
    void goOn();
  }, [session]);
}
