import type { Field } from "@app/shared/form-fields";
import { idSchema } from "@app/shared/ids";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { definePdf } from "../../core/pdf.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { clientNames } from "../clients/clients.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { type ForParty, openFor } from "../visibility/for-party.service.ts";
import { assertSees, readsAnswers } from "./answer-readers.ts";
import { answersDocument } from "./answers-document.ts";
import { type Receipt, receiptFor } from "./receipts.ts";
import { findSubmission } from "./submissions.service.ts";

const draw = definePdf("These answers are too long for one document. Read them on the client’s page.");

/** GET /export/submissions/:id.pdf: what one person answered, for that person; whoever asks gets what they may read of it. */
export const submissionPdf: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read"],
  asksAgain: true,
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Form");
    const { clientName, sealed } = await answersFor(scope, id.data);
    const document = await answersDocument(scope.ownerId, { ...openFor(sealed, {}), name: clientName });
    const bytes = await draw(ofPerson(scope), document);
    log.info({ event: "answers printed", submissionId: id.data }, "audit");
    await sendDownload(asked, { name: "answers.pdf", type: "application/pdf", content: Buffer.from(bytes) });
  },
};

/** Made for whoever answered, and opened for nobody else: what they were shown, as far as whoever asks may read it. */
async function answersFor(scope: Scope, id: string): Promise<{ clientName: string; sealed: ForParty<Receipt> }> {
  const doc = await findSubmission(scope, id);
  const mayReadOf = readsAnswers(scope, await assertSees(scope, doc), doc);
  const form = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
  const clientId = doc.clientId ?? "";
  const clientName = clientId ? ((await clientNames(scope, [clientId])).get(clientId) ?? "") : "";
  const isReadable = (field: Field) => field.type === "statement" || mayReadOf(form.content, field);
  return { clientName, sealed: await receiptFor(doc, form, isReadable) };
}
