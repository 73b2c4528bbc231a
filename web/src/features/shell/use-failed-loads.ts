import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { codeOf } from "../../core/errors.ts";
import { onFailedLoad } from "../../core/load.ts";
import { leave, leavesFor } from "./leave.ts";

/** Here the guards lead somebody by themselves. */
const GUARDED = ["UNAUTHORIZED", "PAYMENT_REQUIRED"];

/** Leaves a page that was drawn before the server refused its data. */
export function useFailedLoads(): void {
  const router = useRouter();
  useEffect(
    () =>
      onFailedLoad((error) => {
        if (leavesFor(error) && !GUARDED.includes(codeOf(error) ?? "")) leave(router, error);
      }),
    [router],
  );
}
