// What came by the general address is nobody's, until somebody of the practice says whose it is.
import type { assignSubmissionSchema, Submission, unassignSubmissionSchema } from "@app/shared/submissions";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { withdrawContactDoubt } from "../clients/contact-checks.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { formNames } from "../forms/form-names.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { assertSees, needsOfKind } from "./answer-readers.ts";
import { assertMaySetAside, holdUnsafeContact } from "./contact-answers.ts";
import { partyOfClient } from "./form-links.service.ts";
import { answersAreThere, answersTakenBack } from "./safety-answers.ts";
import { findSubmission, getSubmission } from "./submissions.service.ts";
import { contentOf, isAssignable, sealContent, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";
import { putBackTaken } from "./taken-over.ts";

type Whose = Pick<SubmissionDoc, "clientId" | "caseId" | "partyId"> & Partial<Pick<SubmissionDoc, "contentEnc">>;

export async function assignSubmission(
  scope: Scope,
  { id, version, clientId, caseId }: z.output<typeof assignSubmissionSchema>,
): Promise<Submission> {
  await inTransaction(async () => {
    const doc = await findAssignable(scope, id);
    if (doc.clientId) throw wrongState("These answers are a client’s already. Take that back first.");
    if (doc.isSuspect) throw wrongState("Say first that this is no spam.");
    if (doc.status === "withdrawn") throw wrongState("These answers were withdrawn, so they are nobody’s any more.");
    const partyId = await partyOfClient(scope, { clientId, caseId });
    await place(doc, version, { clientId, caseId, partyId });
    const kind = await tell(scope, { ...doc, clientId, caseId }, "Answers that came in given to this client");
    const theirs = { ...doc, clientId, caseId };
    const { content } = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
    const [said, assigneeId] = [contentOf(doc), scope.userId];
    await answersAreThere(theirs, { kind, content, answers: said.answers, assigneeId });
    await holdUnsafeContact(theirs, { content, said, assigneeId });
  });
  return getSubmission(scope, id);
}

/** What was taken over says that they are theirs: it goes back with them. What was decided is decided anew. */
export async function unassignSubmission(
  scope: Scope,
  { id, version, putsBack }: z.output<typeof unassignSubmissionSchema>,
): Promise<Submission> {
  await inTransaction(async () => {
    const doc = await findAssignable(scope, id);
    if (!doc.clientId) throw wrongState("These answers do not belong to anybody yet.");
    await assertMaySetAside(scope, await assertSees(scope, doc), doc);
    const back = await putBackTaken(scope, doc, putsBack);
    const contentEnc = sealContent(doc, { ...contentOf(doc), decided: [] });
    await place(doc, version, { clientId: null, caseId: null, partyId: null, contentEnc });
    const isHeldNoMore = await withdrawContactDoubt(scope, doc.clientId, doc._id);
    const also = [
      back === "" ? "" : `, and what was taken over of them put back (${back})`,
      isHeldNoMore ? ", and mail to them is held for it no more" : "",
    ];
    await tell(scope, doc, `Answers taken back from this client${also.join("")}`);
    await answersTakenBack(doc, (await getVersion(doc.ownerId, doc.formId, doc.formNumber)).kind);
  });
  return getSubmission(scope, id);
}

async function findAssignable(scope: Scope, id: string): Promise<SubmissionDoc> {
  const doc = await findSubmission(scope, id);
  await assertSees(scope, doc);
  if (!isAssignable(doc))
    throw wrongState(
      doc.isEnquiry
        ? "This is an enquiry. Make a client of its lead, and the answers stay with that."
        : "These answers came by a link of this client’s own, so they stay theirs.",
    );
  return doc;
}

async function place({ ownerId, _id }: SubmissionDoc, version: number, whose: Whose): Promise<void> {
  const { modifiedCount } = await SubmissionModel.updateOne(
    { ownerId, _id, version },
    { $set: whose, $inc: { version: 1 } },
  );
  if (modifiedCount === 0) throw stale("form");
}

/** Gives the kind of the form. */
async function tell(scope: Scope, { formId, clientId, caseId }: SubmissionDoc, text: string) {
  const form = (await formNames(scope.ownerId, [formId])).get(formId);
  await recordEvent(scope, {
    kind: "client",
    text: `${text}: ${form?.name ?? "a form"}`,
    caseId,
    clientIds: clientId ? [clientId] : [],
    visibility: PRACTICE_ONLY,
    needs: needsOfKind(form?.kind),
  });
  return form?.kind;
}
