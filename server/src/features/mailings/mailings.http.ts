import { type Request, type Response, Router } from "express";
import { idSchema } from "@app/shared/ids";
import { csvLine } from "../../core/csv.ts";
import { sendLines } from "../../core/csv-answer.ts";
import { notFound } from "../../core/errors.ts";
import { type Context, requireExporting, type Scope } from "../../core/trpc.ts";
import { failuresOf, getMailing } from "./mailings.service.ts";

const PERMISSIONS = ["clients.read", "mail.send", "data.export"] as const;
const BYTE_ORDER_MARK = "\uFEFF";

/** GET /export/mailings/:id.csv: everybody who did not get it, and why; can be sent to as a list again. */
export function mailingFailures(createContext: (req: Request, res: Response) => Promise<Context>): Router {
  const routes = Router();
  routes.get("/mailings/:id.csv", async (req, res) => {
    const context = await createContext(req, res);
    const { scope } = requireExporting(context.actor, PERMISSIONS);
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Mailing");
    await getMailing(scope, id.data);
    await sendLines(res, { context, permissions: PERMISSIONS, name: "not-sent.csv" }, linesOf(scope, id.data));
  });
  return routes;
}

export async function* linesOf(scope: Scope, mailingId: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(["Value", "Label", "State", "Why"]);
  for await (const { address, name, state, reason } of failuresOf(scope, mailingId))
    yield csvLine([address, name, state, reason]);
}
