import { can, type OwnerAction } from "@app/shared/access";
import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import { csvLine } from "./csv.ts";
import { sendLines } from "./csv-answer.ts";
import { forbidden } from "./errors.ts";
import type { RawRoute } from "./raw-route.ts";
import type { Scope } from "./trpc.ts";
import { sendWorkbook } from "./xlsx.ts";

const BYTE_ORDER_MARK = "\uFEFF";

interface ListExport<Filter> {
  /** What the list shows, such as "clients". */
  things: string;
  filter: z.ZodType<Filter>;
  headings: readonly string[];
  rows: (scope: Scope, filter: Filter) => AsyncIterable<readonly string[]>;
  /** Of a list that is the owner's alone. */
  ownerAction?: OwnerAction;
}

/** Exactly what a list shows for the same filter, in its order, as a table for a spreadsheet. */
export function listExport<Filter extends object>(list: ListExport<Filter>, as: "csv" | "xlsx" = "csv"): RawRoute {
  const { things, filter, headings, rows, ownerAction } = list;
  async function* lines(scope: Scope, input: Filter): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(headings);
    for await (const cells of rows(scope, input)) yield csvLine(cells);
  }
  return {
    access: "subscribed",
    permissions: ["clients.read", "data.export"],
    asksAgain: true,
    async answer(asked) {
      const { req, scope, log } = asked;
      if (ownerAction && !can(scope, ownerAction)) throw forbidden("Only the owner of the practice can do this.");
      const { descending, ...query } = req.query;
      const input = filter.safeParse({ ...query, isDescending: descending === "true" });
      if (!input.success) throw new TRPCError({ code: "BAD_REQUEST", message: "This filter cannot be used." });
      log.info({ event: `${things} exported`, filter: { ...input.data, search: undefined } }, "audit");
      if (as === "xlsx") return sendWorkbook(asked, `${things}.xlsx`, { headings, rows: rows(scope, input.data) });
      await sendLines(asked, `${things}.csv`, lines(scope, input.data));
    },
  };
}
