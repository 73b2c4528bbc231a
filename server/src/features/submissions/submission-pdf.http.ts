import { idSchema } from "@app/shared/ids";
import type { Submission } from "@app/shared/submissions";
import { forParty, NO_TIMES } from "@app/shared/visibility";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { definePdf } from "../../core/pdf.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { type ForParty, openFor, sealFor, sealForNoParty } from "../visibility/for-party.service.ts";
import { answersDocument } from "./answers-document.ts";
import { getSubmission } from "./submissions.service.ts";

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
    const sealed = await answersFor(scope, id.data);
    const { formName, clientName, ...answered } = openFor(sealed, {});
    const document = await answersDocument(scope.ownerId, { ...answered, title: formName, name: clientName });
    const bytes = await draw(ofPerson(scope), document);
    log.info({ event: "answers printed", submissionId: id.data }, "audit");
    await sendDownload(asked, { name: "answers.pdf", type: "application/pdf", content: Buffer.from(bytes) });
  },
};

/** Made for whoever answered, and opened for nobody else. */
async function answersFor(scope: Scope, id: string): Promise<ForParty<Submission>> {
  const submission = await getSubmission(scope, id);
  const { caseId, partyId, clientId } = submission;
  if (!caseId || !partyId) return sealForNoParty(clientId, submission, []);
  const theCase = await getCase(scope, caseId);
  return sealFor({ theCase, partyId }, submission, [{ visibility: forParty(partyId), ...NO_TIMES }]);
}
