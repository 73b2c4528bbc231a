import { courtPackSchema } from "@app/shared/court-packs";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { drawCourtPack } from "./court-packs.service.ts";

/** GET /export/court-packs/:id.pdf: what of a case a court may be given; with `party` the certificates of that one too. */
export const courtPack: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "documents.manage"],
  asksAgain: true,
  async answer(asked) {
    const { req, scope, log } = asked;
    const input = courtPackSchema.safeParse({ caseId: req.params["id"], partyId: req.query["party"] ?? null });
    if (!input.success) throw notFound("Case");
    const bytes = await drawCourtPack(scope, input.data);
    log.info({ event: "court pack exported", caseId: input.data.caseId }, "audit");
    await sendDownload(asked, { name: "court-pack.pdf", type: "application/pdf", content: Buffer.from(bytes) });
  },
};
