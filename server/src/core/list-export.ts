import type { Permission } from "@app/shared/access";
import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import { forbidden } from "./errors.ts";
import type { RawRoute } from "./raw-route.ts";
import type { Scope } from "./trpc.ts";
import { sendTable, type TableFormat } from "./table-answer.ts";

interface ListExport<Filter> {
  /** What the list shows, such as "clients". */
  things: string;
  filter: z.ZodType<Filter>;
  headings: readonly string[];
  rows: (scope: Scope, filter: Filter) => AsyncIterable<readonly string[]>;
  access?: "subscribed" | "owner";
  /** It is of all cases, so nothing for whoever sees only their own. */
  isOfWholePractice?: boolean;
  /** What it asks for beside the right to take lists out. */
  permissions?: readonly Permission[];
}

/** Exactly what a list shows for the same filter, in its order, as a table for a spreadsheet. */
export function listExport<Filter extends object>(list: ListExport<Filter>, as: TableFormat = "csv"): RawRoute {
  const { things, filter, headings, rows, access = "subscribed", permissions = [], isOfWholePractice = false } = list;
  return {
    access,
    permissions: ["clients.read", ...permissions, "data.export"],
    asksAgain: true,
    async answer(asked) {
      const { req, scope, log } = asked;
      if (isOfWholePractice && scope.isAssignedOnly)
        throw forbidden("This is of the whole practice, and you see only your own cases.");
      const { descending, ...query } = req.query;
      const input = filter.safeParse({ ...query, isDescending: descending === "true" });
      if (!input.success) throw new TRPCError({ code: "BAD_REQUEST", message: "This filter cannot be used." });
      log.info({ event: `${things} exported`, filter: { ...input.data, search: undefined } }, "audit");
      await sendTable(asked, things, { headings, rows: rows(scope, input.data) }, as);
    },
  };
}
