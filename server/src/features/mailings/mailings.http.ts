import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Request, type Response, Router } from "express";
import { idSchema } from "@app/shared/ids";
import { csvLine } from "../../core/csv.ts";
import { notFound } from "../../core/errors.ts";
import { type Context, requirePermitted, type Scope } from "../../core/trpc.ts";
import { failuresOf, getMailing } from "./mailings.service.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** GET /export/mailings/:id.csv: everybody who did not get it, and why; can be sent to as a list again. */
export function mailingFailures(createContext: (req: Request, res: Response) => Promise<Context>): Router {
  const routes = Router();
  routes.get("/mailings/:id.csv", async (req, res) => {
    const { actor } = await createContext(req, res);
    const { scope } = requirePermitted(actor, ["clients.read", "mail.send", "data.export"]);
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Mailing");
    await getMailing(scope, id.data);
    res.set({
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="not-sent.csv"',
    });
    try {
      await pipeline(Readable.from(linesOf(scope, id.data)), res);
    } catch (error) {
      // Whoever went away needs no more of it.
      if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
    }
  });
  return routes;
}

export async function* linesOf(scope: Scope, mailingId: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(["Value", "Label", "State", "Why"]);
  for await (const { address, name, state, reason } of failuresOf(scope, mailingId))
    yield csvLine([address, name, state, reason]);
}
