import { idSchema } from "@app/shared/ids";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { drawCreditNote, drawInvoice } from "./invoice-paper.service.ts";

interface Paper {
  /** As a refusal calls it. */
  what: string;
  /** What the file is called before its number. */
  name: string;
  draw: (scope: Scope, id: string) => Promise<{ number: string; bytes: Uint8Array }>;
}

const paper = ({ what, name, draw }: Paper): RawRoute => ({
  access: "subscribed",
  permissions: ["clients.read", "payments.read"],
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound(what);
    const { number, bytes } = await draw(scope, id.data);
    log.info({ event: `${what.toLowerCase()} downloaded`, number }, "audit");
    await sendDownload(asked, {
      name: `${name}-${number}.pdf`,
      type: "application/pdf",
      content: Buffer.from(bytes),
    });
  },
});

/** GET /export/invoices/:id.pdf: the invoice of one payer, which tells of no other. */
export const invoicePdf = paper({ what: "Invoice", name: "invoice", draw: drawInvoice });

/** GET /export/credit-notes/:id.pdf */
export const creditNotePdf = paper({ what: "Credit note", name: "credit-note", draw: drawCreditNote });
