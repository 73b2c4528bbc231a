import { useEffect } from "react";
import { forgetKept, keptName } from "../../core/kept.ts";
import { useSession } from "../../core/session-state.ts";

/** Empties what this browser kept of others, and goes on with what it kept of whoever is signed in. */
export function useKeptWork(): void {
  useSession();
  const name = keptName();
  useEffect(() => {
    const goOn = async () => {
      if (await forgetKept(name)) await (await import("../notes/restore-kept.ts")).restoreKept();
    };
    void goOn();
  }, [name]);
}
