import { appRouter } from "@app/server/app-router";
import type { AnyTRPCRouter } from "@trpc/server";

interface Procedure {
  _def: { type: string; inputs: unknown[]; meta?: { access?: string; permissions?: readonly string[] } };
}

const router: AnyTRPCRouter = appRouter;

/** Every procedure by its path, as the server finds it. */
export const procedures: Record<string, Procedure> = router._def.procedures;

export const pathsOf = (type: "query" | "mutation" | "subscription"): string[] =>
  Object.keys(procedures).filter((path) => procedures[path]?._def.type === type);
