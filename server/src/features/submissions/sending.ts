// Sending a form in: looked at by its own rules once more, and taken once however often it arrives.
import { canonicalEmail } from "@app/shared/email-address";
import { type Answers, answerTo } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { type AnswerProblem, checkAnswers } from "@app/shared/form-validator";
import type { SubmitAnswers, Submitted } from "@app/shared/submissions";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { conflict } from "../../core/visitor-refusals.ts";
import { redeemFormToken } from "../../core/form-token.ts";
import type { Context } from "../../core/trpc.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getVersion, type PublishedForm } from "../forms/form-versions.service.ts";
import { refuseHeadlessForm } from "../mail/headless.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { needsOfKind } from "./answer-readers.ts";
import { leadOfAnswers } from "./enquiries.ts";
import { answersWithFiles, dropUnanswered } from "./form-files.service.ts";
import { FORM_PURPOSE, formOf, keepAnswers } from "./filling.ts";
import { openPlace, type OpenPlace, placeToFill } from "./open-place.ts";
import { countAsked, countBegun, countSent, isNamedTooOften } from "./public-limits.ts";
import { receiptOf } from "./receipts.ts";
import { answersAreThere } from "./safety-answers.ts";
import { isSuspect } from "./spam-score.ts";
import { contentOf, sealContent, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

export async function submitAnswers(
  caller: Pick<Context, "ip" | "isHeadless">,
  input: SubmitAnswers,
): Promise<Submitted> {
  const { ip } = caller;
  await countAsked(ip);
  const place = await placeToFill(input);
  // What an enquiry sets off leaves as a form.
  if (place.form.kind === "lead") refuseHeadlessForm(caller);
  const before = await sentBefore(place, input.id);
  if (before) return before;
  if (!place.submission && !place.link) await countBegun(ip);
  await countSent(ip, place);
  const unkept = await problemsUnkept(place, input);
  if (unkept.length > 0) return { state: "problems", problems: unkept };
  try {
    return await keepAndSend(place, input);
  } catch (error) {
    // The same sending may have been faster on another way.
    const sent = await sentBefore(await openPlace(input), input.id).catch(() => null);
    if (sent) return sent;
    throw isDuplicateKey(error)
      ? conflict("This was sent already. Load the page again to send something else.")
      : error;
  }
}

/** Kept first, so that nothing is lost of what cannot be sent yet. */
async function keepAndSend(place: OpenPlace, input: SubmitAnswers): Promise<Submitted> {
  const { submission } = await keepAnswers(place, input, { resumeId: null });
  const { content: form } = await formOf({ ...place, submission });
  const given = contentOf(submission);
  const { answers, problems } = checkAnswers(form, await answersWithFiles(submission, form, given.answers));
  if (problems.length > 0) return { state: "problems", problems };
  const suspect =
    place.link === null && (await looksLikeSpam(form, answers, { formId: input.formId, trap: input.website }));
  const content = { ...given, answers, attribution: input.attribution };
  return takeIn(submission, input, {
    content,
    form,
    suspect,
    published: place.form,
    askedBy: place.link?.createdBy ?? submission.ownerId,
  });
}

/** Of whoever sends at once what was never saved: they could not come back to what is kept of it. */
async function problemsUnkept(place: OpenPlace, { changes }: SubmitAnswers): Promise<AnswerProblem[]> {
  if (place.submission || place.link) return [];
  const given = changes.flatMap(({ fieldId, answer }) => (answer === null ? [] : [[fieldId, answer] as const]));
  return checkAnswers(place.form.content, Object.fromEntries(given)).problems;
}

/** The same sending once more, whose answer got lost. Whatever else comes afterwards is too late. */
async function sentBefore({ form, submission }: OpenPlace, sendingId: string): Promise<Submitted | null> {
  const { ownerId, formId } = form;
  const known = submission ?? (await SubmissionModel.findOne({ ownerId, formId, sendingId }).lean());
  if (!known || known.status === "in_progress") return null;
  if (known.sendingId !== sendingId || !known.submittedAt)
    throw conflict("This form was sent in already. Ask the practice if something in it has to change.");
  const sentForm = await getVersion(ownerId, formId, known.formNumber);
  return { state: "sent", at: known.submittedAt.toISOString(), receipt: receiptOf(known, sentForm) };
}

async function looksLikeSpam(
  form: FormContent,
  answers: Answers,
  { formId, trap }: { formId: string; trap: string },
): Promise<boolean> {
  const fields = form.pages.flatMap((page) => page.fields);
  const addresses = fields.flatMap(({ id, type }) => {
    const answer = type === "email" ? answerTo(answers, id) : undefined;
    return typeof answer === "string" ? [canonicalEmail(answer) ?? answer] : [];
  });
  const often = await Promise.all(addresses.slice(0, 3).map((address) => isNamedTooOften(formId, address)));
  return often.includes(true) || isSuspect(answers, trap);
}

interface Taking {
  content: ReturnType<typeof contentOf>;
  form: FormContent;
  suspect: boolean;
  published: Pick<PublishedForm, "kind" | "name">;
  /** Who made the link; whoever comes by none was asked by nobody. */
  askedBy: string;
}

/** The token is used up with it or not at all. */
const takeIn = (
  doc: SubmissionDoc,
  { id, formId, formToken }: SubmitAnswers,
  { content, form, suspect, published, askedBy }: Taking,
): Promise<Submitted> =>
  inTransaction(async () => {
    const { ownerId, _id, revision } = doc;
    const at = now();
    const { modifiedCount } = await SubmissionModel.updateOne(
      { ownerId, _id, revision, status: "in_progress" },
      {
        $set: {
          status: "submitted",
          submittedAt: at,
          savedAt: at,
          sendingId: id,
          isSuspect: suspect,
          contentEnc: sealContent(doc, content),
        },
        $inc: { revision: 1 },
      },
    );
    if (modifiedCount === 0)
      throw conflict(
        "Something was answered on another screen at this moment. Look at your answers and send them again.",
      );
    await redeemFormToken({ purpose: FORM_PURPOSE, id: formId, token: formToken });
    await dropUnanswered(doc, content.answers);
    if (doc.isEnquiry && !suspect) await leadOfAnswers(doc, form, content);
    await tell(doc, published);
    await answersAreThere(doc, { kind: published.kind, assigneeId: askedBy });
    const receipt = receiptOf(doc, { content: form, kind: published.kind });
    return { state: "sent", at: at.toISOString(), receipt };
  });

async function tell({ ownerId, clientId, caseId }: SubmissionDoc, { kind, name }: Taking["published"]): Promise<void> {
  if (!clientId) return;
  await recordEvent(systemScope(ownerId), {
    kind: "client",
    text: `Form filled in: ${name}`,
    caseId,
    clientIds: [clientId],
    visibility: PRACTICE_ONLY,
    needs: needsOfKind(kind),
  });
}
