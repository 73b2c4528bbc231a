import { idSchema } from "@app/shared/ids";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { sendDownload } from "../../core/download.ts";
import { drawDraft } from "./finish-document.ts";

/** GET /export/documents/:id.pdf: a draft as it would be filed, to be looked at before it is finished. */
export const draftPdf: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "documents.manage"],
  async answer(asked) {
    const { req, scope } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Document");
    const { bytes, doc } = await drawDraft(scope, id.data);
    const content = Buffer.from(bytes);
    await sendDownload(asked, { name: `${doc.name}.pdf`, type: "application/pdf", isInline: true, content });
  },
};
