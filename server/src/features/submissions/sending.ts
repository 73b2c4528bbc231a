// Sending a form in: looked at by its own rules once more, and taken once however often it arrives.
import { canonicalEmail } from "@app/shared/email-address";
import { type Answers, answerTo, filesOf } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { checkAnswers } from "@app/shared/form-validator";
import type { SubmitAnswers, Submitted } from "@app/shared/submissions";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { conflict } from "../../core/visitor-refusals.ts";
import { flawOf, usedAlready } from "../../core/form-token.ts";
import { hashToken } from "../../core/crypto.ts";
import type { Context } from "../../core/trpc.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getVersion, type PublishedForm } from "../forms/form-versions.service.ts";
import { refuseHeadless, refuseHeadlessForm } from "../mail/headless.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { needsOfKind } from "./answer-readers.ts";
import { leadOfAnswers } from "./enquiries.ts";
import { holdUnsafeContact } from "./contact-answers.ts";
import { canMark, flagTexts, tellOfFlags } from "./flag-notices.ts";
import { answersWithFiles, dropUnanswered } from "./form-files.service.ts";
import { answeredSince, beganWithOf, FORM_PURPOSE, formOf, keepAnswers, make, type SentBy } from "./filling.ts";
import { assertTakes, openPlace, type OpenPlace } from "./open-place.ts";
import { countRepeated, countUnsent, ifMaySend, ifThere, isNamedTooOften, type Sending } from "./public-limits.ts";
import { receiptOf } from "./receipts.ts";
import { answersAreThere } from "./safety-answers.ts";
import { readsLikeSpam } from "./spam-score.ts";
import {
  contentOf,
  sealContent,
  type SubmissionContent,
  type SubmissionDoc,
  SubmissionModel,
} from "./submissions.model.ts";

export async function submitAnswers(
  caller: Pick<Context, "ip" | "isHeadless">,
  input: SubmitAnswers,
): Promise<Submitted> {
  const { ip } = caller;
  const sending = await ifThere(ip, lookUp(caller, input));
  const { place } = sending;
  const before = await ifMaySend(ip, sending, () => sentBefore(place, input.id));
  if (before) return before;
  try {
    const outcome = await (place.submission || place.link ? keepAndSend : sendAtOnce)(sending, input);
    if (outcome.state === "problems") await countUnsent(sending);
    return outcome;
  } catch (error) {
    // The same sending once more, whose answer got lost, or which was faster on another way.
    const sent = await sentBefore(await openPlace(input), input.id).catch(() => null);
    await (sent ? countRepeated(ip, sending) : countUnsent(sending));
    if (sent) return sent;
    throw isDuplicateKey(error) ? usedAlready() : error;
  }
}

async function lookUp(caller: Pick<Context, "isHeadless">, input: SubmitAnswers): Promise<Sending> {
  const place = await openPlace(input);
  // What an enquiry sets off leaves as a form.
  if (place.form.kind === "lead") refuseHeadlessForm(caller);
  else if (!place.link && canMark(place.form.content)) refuseHeadless(caller);
  await assertTakes(place);
  return { place, refusal: flawOf({ purpose: FORM_PURPOSE, id: input.formId, token: input.formToken }) };
}

/** Kept first, so that nothing is lost of what cannot be sent yet. */
async function keepAndSend({ place, refusal }: Sending, input: SubmitAnswers): Promise<Submitted> {
  const { submission: doc, newer } = await keepAnswers(place, input, { resumeId: null });
  const { content: form } = await formOf({ ...place, submission: doc });
  const given = contentOf(doc);
  const said = await answersWithFiles(doc, form, given.answers);
  if (Object.keys(newer).length > 0 || !showsFiles(input, form, said)) throw answeredElsewhere();
  const { answers, problems } = checkAnswers(form, said);
  if (problems.length > 0) return { state: "problems", problems };
  if (refusal) throw refusal;
  const isSuspect = place.link === null && (await looksLikeSpam(form, answers, input));
  const content = { ...given, answers, attribution: input.attribution };
  return inTransaction(() =>
    takeIn(place, { form, content, store: () => send(doc, { content, ...sentBy(input), isSuspect }) }),
  );
}

const answeredElsewhere = () =>
  conflict("Something was answered on another screen at this moment. Look at your answers and send them again.");

/** Whether the files that go out are those that stood on the screen. */
function showsFiles({ fileIds }: Pick<SubmitAnswers, "fileIds">, { pages }: FormContent, said: Answers): boolean {
  if (!fileIds) return true;
  const asked = pages.flatMap(({ fields }) => fields.filter(({ type }) => type === "file"));
  const there = asked.flatMap(({ id }) => filesOf(answerTo(said, id)).map((file) => file.id));
  return there.length === fileIds.length && there.every((id) => fileIds.includes(id));
}

/** Of whoever saved nothing before, and could not come back to what is kept of it: all of it, or nothing. */
async function sendAtOnce({ place, refusal }: Sending, input: SubmitAnswers): Promise<Submitted> {
  const beganWith = await beganWithOf(place, input.number);
  const { content: given } = answeredSince(null, beganWith, input);
  const { answers, problems } = checkAnswers(beganWith.content, given.answers);
  if (problems.length > 0) return { state: "problems", problems };
  if (refusal) throw refusal;
  const sending = { ...sentBy(input), isSuspect: await looksLikeSpam(beganWith.content, answers, input) };
  const content = { ...given, answers, attribution: input.attribution };
  const { number } = beganWith;
  const take = () =>
    takeIn(place, {
      form: beganWith.content,
      content,
      store: () => make(place, { content, number, pageId: input.pageId, resumeId: null, sending }),
    });
  // Of a stranger's answers that mark nothing, nothing else comes than what is stored of them, in one step.
  const isAlone = place.form.kind !== "lead" && flagTexts(beganWith.content, answers).length === 0;
  return isAlone ? take() : inTransaction(take);
}

/** Each of both is taken once. */
const sentBy = ({ id, formToken }: SubmitAnswers): Pick<SubmissionDoc, "sendingId" | "formTokenHash"> => ({
  sendingId: id,
  formTokenHash: hashToken(formToken),
});

/** Null where something was answered since. */
async function send(
  doc: SubmissionDoc,
  { content, ...sending }: SentBy & { content: SubmissionContent },
): Promise<SubmissionDoc | null> {
  const { ownerId, _id, revision } = doc;
  const at = now();
  const sent = await SubmissionModel.findOneAndUpdate(
    { ownerId, _id, revision, status: "in_progress" },
    {
      $set: { ...sending, status: "submitted", submittedAt: at, savedAt: at, contentEnc: sealContent(doc, content) },
      $inc: { revision: 1 },
    },
    { returnDocument: "after", lean: true },
  );
  if (sent) await dropUnanswered(sent, content.answers);
  return sent;
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
  { formId, website: trap }: Pick<SubmitAnswers, "formId" | "website">,
): Promise<boolean> {
  const fields = form.pages.flatMap((page) => page.fields);
  const addresses = fields.flatMap(({ id, type }) => {
    const answer = type === "email" ? answerTo(answers, id) : undefined;
    return typeof answer === "string" ? [canonicalEmail(answer) ?? answer] : [];
  });
  const often = await Promise.all(addresses.slice(0, 3).map((address) => isNamedTooOften(formId, address)));
  return often.includes(true) || readsLikeSpam(answers, trap);
}

interface Taking {
  form: FormContent;
  content: SubmissionContent;
  /** Null where others were faster. */
  store: () => Promise<SubmissionDoc | null>;
}

async function takeIn({ form: published, link }: OpenPlace, { form, content, store }: Taking): Promise<Submitted> {
  const doc = await store();
  if (!doc?.submittedAt) throw answeredElsewhere();
  if (doc.isEnquiry && !doc.isSuspect) await leadOfAnswers(doc, form, content);
  await tell(doc, published);
  await tellOfFlags(doc, published, { content: form, answers: content.answers });
  // Whoever comes by no link was asked by nobody.
  const assigneeId = link?.createdBy ?? doc.ownerId;
  await answersAreThere(doc, { kind: published.kind, content: form, answers: content.answers, assigneeId });
  await holdUnsafeContact(doc, { content: form, said: content, assigneeId });
  const receipt = receiptOf(doc, { content: form, kind: published.kind });
  return { state: "sent", at: doc.submittedAt.toISOString(), receipt };
}

async function tell(
  { ownerId, clientId, caseId }: SubmissionDoc,
  { kind, name }: Pick<PublishedForm, "kind" | "name">,
): Promise<void> {
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
