// Somebody of the practice decides on each thing that the answers propose to change of the client. Nothing is taken over
// by itself.
import { proposedText, standing, stoodThere, withAnswer, withText } from "@app/shared/answer-proposals";
import { type Client, type CreateClient, createClientSchema } from "@app/shared/clients";
import { answerTo } from "@app/shared/form-answers";
import type { ClientTarget } from "@app/shared/form-targets";
import type { decideProposalSchema, Submission } from "@app/shared/submissions";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient, updateClient } from "../clients/clients.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { holdUnsafeContact } from "./contact-answers.ts";
import { assertSees, needsOfForm, readsAnswers } from "./answer-readers.ts";
import { mappedFields } from "./proposals.ts";
import { findSubmission, getSubmission } from "./submissions.service.ts";
import { fieldsOfClient } from "./taken-over.ts";
import { contentOf, type Decided, sealContent, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

type Deciding = z.output<typeof decideProposalSchema>;

/** Call it in a transaction: the client and what was decided change together. */
export async function decideProposal(scope: Scope, input: Deciding): Promise<Submission> {
  const doc = await findSubmission(scope, input.id);
  const target = await targetOf(scope, doc, input.fieldId);
  if (doc.status === "withdrawn") throw wrongState("These answers were withdrawn, so nothing of them is taken over.");
  if (doc.isSuspect) throw wrongState("Say first that this is no spam.");
  if (doc.version !== input.version || !doc.clientId) throw stale("form");
  const said = contentOf(doc);
  if (said.decided.some(({ fieldId }) => fieldId === input.fieldId)) throw stale("form");
  const client = await getClient(scope, doc.clientId);
  const answer = answerTo(said.answers, input.fieldId);
  const proposed = proposedText(target, answer);
  if (answer === undefined || proposed === null) throw notFound("Proposal");
  const before = standing(client, target);
  const isEdited = input.decision === "edited";
  if (input.decision !== "rejected") {
    const changed = isEdited
      ? withText(fieldsOfClient(client), target, input.text)
      : withAnswer(fieldsOfClient(client), target, answer);
    await change(scope, client, changed, input);
  }
  await note(scope, doc, {
    fieldId: input.fieldId,
    before,
    ...(input.decision === "rejected" ? {} : { stood: stoodThere(client, target) }),
    after: isEdited ? input.text : proposed,
    decision: input.decision,
    by: scope.userId,
    byName: scope.userName,
    at: now().toISOString(),
  });
  // What was saved says of the other ways no more than before.
  const { content } = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
  const decided = await findSubmission(scope, doc._id);
  await holdUnsafeContact(decided, { content, said: contentOf(decided), assigneeId: scope.userId });
  return getSubmission(scope, doc._id);
}

async function targetOf(scope: Scope, doc: SubmissionDoc, fieldId: string): Promise<ClientTarget> {
  const theCase = await assertSees(scope, doc);
  const { content } = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
  const field = content.pages.flatMap(({ fields }) => fields).find(({ id }) => id === fieldId);
  const mapped = mappedFields(content).find(({ id }) => id === fieldId);
  if (!mapped || !field || field.type === "statement" || !readsAnswers(scope, theCase, doc)(content, field))
    throw notFound("Proposal");
  return mapped.target;
}

/** Says what does not fit where it cannot be stored so: nobody who fills in a form is asked to fit their name to it. */
async function change(scope: Scope, { id }: Client, changed: CreateClient, deciding: Deciding): Promise<void> {
  const checked = createClientSchema.safeParse(changed);
  if (!checked.success) throw badField("text", misfit(checked.error.issues[0], deciding));
  await updateClient(scope, { id, version: deciding.clientVersion, client: checked.data });
}

const PARTS_OF_NAME = new Map<PropertyKey | undefined, string>([
  ["firstName", "First name: "],
  ["lastName", "Last name: "],
]);

function misfit(issue: z.core.$ZodIssue | undefined, { decision }: Deciding): string {
  const reason = issue ? ` ${PARTS_OF_NAME.get(issue.path[0]) ?? ""}${issue.message}.` : "";
  const next = decision === "edited" ? "Change it and store it then." : "Choose “Edit”, change it and store it then.";
  return `This does not fit the client’s record.${reason} ${next}`;
}

async function note(scope: Scope, doc: SubmissionDoc, decided: Decided): Promise<void> {
  const said = contentOf(doc);
  const { ownerId, _id, version } = doc;
  const { modifiedCount } = await SubmissionModel.updateOne(
    { ownerId, _id, version },
    {
      $set: {
        contentEnc: sealContent(doc, { ...said, decided: [...said.decided, decided] }),
        status: doc.status === "submitted" ? "under_review" : doc.status,
      },
      $inc: { version: 1 },
    },
  );
  if (modifiedCount === 0) throw stale("form");
  await recordEvent(scope, {
    kind: "client",
    text: `Answer of a form ${decided.decision === "rejected" ? "not taken over" : "taken over"}`,
    caseId: doc.caseId,
    clientIds: doc.clientId ? [doc.clientId] : [],
    visibility: PRACTICE_ONLY,
    needs: await needsOfForm(ownerId, doc.formId),
  });
}
