import { idSchema } from "@app/shared/ids";
import { csvLine } from "../../core/csv.ts";
import { sendLines } from "../../core/csv-answer.ts";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { failuresOf, getMailing } from "./mailings.service.ts";

const BYTE_ORDER_MARK = "\uFEFF";

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
    await sendLines(asked, "not-sent.csv", linesOf(scope, id.data));
  },
};

export async function* linesOf(scope: Scope, mailingId: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(["Value", "Label", "State", "Why"]);
  for await (const { address, name, state, reason } of failuresOf(scope, mailingId))
    yield csvLine([address, name, state, reason]);
}
