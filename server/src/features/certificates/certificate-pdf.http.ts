import { idSchema } from "@app/shared/ids";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { drawCertificate } from "./certificate-paper.service.ts";

/** GET /export/certificates/:id.pdf: the certificate of one party, which names no other. */
export const certificatePdf: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read"],
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Certificate");
    const { number, bytes } = await drawCertificate(scope, id.data);
    log.info({ event: "certificate downloaded", certificate: number }, "audit");
    const name = `certificate-${number.replace(/[^\w-]/g, "")}.pdf`;
    await sendDownload(asked, { name, type: "application/pdf", content: Buffer.from(bytes) });
  },
};
