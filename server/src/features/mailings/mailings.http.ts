import { idSchema } from "@app/shared/ids";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { sendTable } from "../../core/table-answer.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Table } from "../../core/xlsx.ts";
import { failuresOf, getMailing } from "./mailings.service.ts";

/** GET /export/mailings/:id.csv: everybody who did not get it, and why; can be sent to as a list again. */
export const mailingFailures: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "mail.send", "data.export"],
  asksAgain: true,
  async answer(asked) {
    const { req, scope } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Mailing");
    await getMailing(scope, id.data);
    await sendTable(asked, "not-sent", notSent(scope, id.data), "csv");
  },
};

/** Everybody who did not get it, and why. */
export const notSent = (scope: Scope, mailingId: string): Table => ({
  headings: ["Value", "Label", "State", "Why"],
  rows: rowsOf(scope, mailingId),
});

async function* rowsOf(scope: Scope, mailingId: string): AsyncGenerator<string[]> {
  for await (const { address, name, state, reason } of failuresOf(scope, mailingId))
    yield [address, name, state, reason];
}
