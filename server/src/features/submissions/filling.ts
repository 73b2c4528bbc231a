// Filling in a form: opened, saved again and again, and sent in once. Nobody here is signed in.
import { type Answers, answerTo, rowsOf, withAnswer } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { ANSWERS_MAX_LENGTH } from "@app/shared/form-limits";
import { withRowIds } from "@app/shared/form-rows";
import type { FormPlace, OpenedForm, SaveAnswers, SavedAnswers } from "@app/shared/submissions";
import { TRPCError } from "@trpc/server";
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { isDuplicateKey } from "../../core/database.ts";
import { conflict, wrongState } from "../../core/visitor-refusals.ts";
import { issueFormToken } from "../../core/form-token.ts";
import { newId, newToken } from "../../core/ids.ts";
import { getVersion, type PublishedForm } from "../forms/form-versions.service.ts";
import { practiceNameOf, practiceRegion } from "../practices/practices.service.ts";
import { takesFromOutside } from "../subscriptions/subscriptions.service.ts";
import { EMERGENCY_NUMBERS } from "./emergency-numbers.ts";
import { answersWithFiles } from "./form-files.service.ts";
import { FormLinkModel } from "./form-links.model.ts";
import { mergeAnswers, type Merged } from "./merging.ts";
import { deadLink, needsOwnLink, openPlace, type OpenPlace, placeToFill } from "./open-place.ts";
import { publicContent } from "./public-form.ts";
import { countBegun, countSaved, ifMayAsk } from "./public-limits.ts";
import { mailsToOf } from "./self-mails.ts";
import { contentOf, NOTHING_SAID, sealContent, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

const ROUNDS_MAX = 8;
export const FORM_PURPOSE = "form";

export async function openForm({ ip }: { ip: string }, at: FormPlace): Promise<OpenedForm> {
  const place = await ifMayAsk(ip, openPlace(at));
  const isClosed = !(await takesFromOutside(place.form.ownerId));
  const { link, submission } = place;
  if (link && !link.openedAt && !isClosed)
    await FormLinkModel.updateOne(
      { ownerId: link.ownerId, _id: link._id, openedAt: null },
      { $set: { openedAt: now() } },
    );
  const form = await formOf(place);
  const isSent = submission !== null && submission.status !== "in_progress";
  const isOpen = submission !== null && !isSent;
  return {
    practiceName: await practiceNameOf(form.ownerId),
    content: publicContent(form.content),
    number: form.number,
    formToken: issueFormToken({ purpose: FORM_PURPOSE, id: at.formId }),
    answers: isOpen ? await answersToShow(submission, form.content) : {},
    revision: isOpen ? submission.revision : 0,
    pageId: isOpen ? submission.pageId : null,
    isSent,
    isClosed,
    needsOwnLink: needsOwnLink(place),
    emergencyNumber: EMERGENCY_NUMBERS[await practiceRegion(form.ownerId)],
    leadsBack: link !== null || submission !== null,
    redirectUrl: form.sharing.redirectUrl,
    isEnquiry: form.kind === "lead",
    mailsTo: await mailsToOf(link),
    expiresAt: link?.expiresAt.toISOString() ?? null,
  };
}

/** With files and rows as every screen knows them. */
async function answersToShow(submission: SubmissionDoc, content: FormContent): Promise<Answers> {
  const answers = await answersWithFiles(submission, content, contentOf(submission).answers);
  const groups = content.pages.flatMap(({ fields }) => fields.filter(({ type }) => type === "repeat_group"));
  return groups.reduce((shown, { id }) => {
    const rows = rowsOf(answerTo(shown, id));
    return rows.length > 0 ? withAnswer(shown, id, withRowIds(rows)) : shown;
  }, answers);
}

/** The version that was begun with, also where there are later ones. */
export const formOf = async ({ form, submission }: OpenPlace): Promise<PublishedForm> =>
  submission && submission.formNumber !== form.number
    ? getVersion(form.ownerId, form.formId, submission.formNumber)
    : form;

export async function saveAnswers({ ip }: { ip: string }, input: SaveAnswers): Promise<SavedAnswers> {
  const place = await ifMayAsk(ip, placeToFill(input));
  if (!place.submission && !place.link) await countBegun(ip, input.formId);
  const resumeId = place.link || place.submission ? null : newToken();
  const { submission, newer } = await keepAnswers(place, input, { resumeId });
  const { content } = await formOf({ ...place, submission });
  // Files come and go by a way of their own, so each save tells how they stand.
  const files = await answersWithFiles(submission, content, {});
  return { revision: submission.revision, newer: { ...newer, ...files }, resumeId };
}

interface Kept {
  submission: SubmissionDoc;
  newer: SavedAnswers["newer"];
}

/** Merges what was answered with what is there by now, from whichever browser it came. */
export async function keepAnswers(
  place: OpenPlace,
  input: SaveAnswers,
  { resumeId }: { resumeId: string | null },
): Promise<Kept> {
  const beganWith = await beganWithOf(place, input.number);
  let known = place.submission;
  if (known) await countSaved(known._id);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    assertOpen(known);
    const { content, newer } = answeredSince(known, beganWith, input);
    const { pageId } = input;
    const saved = known
      ? await update(known, { pageId, content })
      : await begin(place, { pageId, content, number: beganWith.number, resumeId });
    if (saved) return { submission: saved, newer };
    known = await again(place, known);
  }
  throw conflict("Others save at the same moment. Try again.");
}

/** What is answered by now; nothing is known yet of whoever begins. PAYLOAD_TOO_LARGE where it is more than is kept. */
export function answeredSince(
  known: SubmissionDoc | null,
  beganWith: PublishedForm,
  { changes, revision: base }: Pick<SaveAnswers, "changes" | "revision">,
): Merged {
  const isAsked = askable(beganWith);
  const merged = mergeAnswers(known ? contentOf(known) : NOTHING_SAID, {
    base,
    revision: (known?.revision ?? 0) + 1,
    changes: changes.filter(({ fieldId }) => isAsked.has(fieldId)),
    at: now().getTime(),
  });
  assertNotTooMuch(merged.content.answers);
  return merged;
}

/** The version that it is filled in by: of what is begun now, the one that the page shows. */
export async function beganWithOf({ form, submission }: OpenPlace, number: number): Promise<PublishedForm> {
  const began = submission?.formNumber ?? number;
  // The page was opened with a version of before, which is still good.
  if (began > form.number) throw deadLink();
  return began === form.number ? form : getVersion(form.ownerId, form.formId, began);
}

/** Files come by a way of their own, and what is reckoned is reckoned here. */
const askable = ({ content }: PublishedForm): Set<string> =>
  new Set(
    content.pages.flatMap(({ fields }) =>
      fields.flatMap(({ id, type }) => (type === "file" || type === "calculated" || type === "statement" ? [] : id)),
    ),
  );

function assertOpen(submission: SubmissionDoc | null): void {
  if (submission && submission.status !== "in_progress")
    throw wrongState("This was sent in already, so nothing more is saved.");
}

function assertNotTooMuch(answers: object): void {
  if (JSON.stringify(answers).length > ANSWERS_MAX_LENGTH)
    throw new TRPCError({
      code: "PAYLOAD_TOO_LARGE",
      message: "These answers are too long to be kept. Shorten the longest one; what was saved before is still there.",
    });
}

interface Keeping extends Pick<SaveAnswers, "pageId"> {
  content: ReturnType<typeof contentOf>;
}

/** Null where somebody else was faster. */
const update = (
  { ownerId, _id, revision: before }: SubmissionDoc,
  { content, pageId }: Keeping,
): Promise<SubmissionDoc | null> =>
  SubmissionModel.findOneAndUpdate(
    { ownerId, _id, revision: before, status: "in_progress" },
    { $set: { revision: before + 1, pageId, savedAt: now(), contentEnc: sealContent({ ownerId, _id }, content) } },
    { returnDocument: "after", lean: true },
  );

export type SentBy = Pick<SubmissionDoc, "sendingId" | "formTokenHash" | "isSuspect">;

interface Beginning extends Keeping {
  number: number;
  /** Null where nothing leads back to it but its link. */
  resumeId: string | null;
  /** Where it is sent in at once. */
  sending?: SentBy;
}

/** Null where somebody else was faster. */
async function begin(place: OpenPlace, beginning: Beginning): Promise<SubmissionDoc | null> {
  try {
    return await make(place, beginning);
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

export async function make(
  { form, link }: OpenPlace,
  { content, pageId, number, resumeId, sending }: Beginning,
): Promise<SubmissionDoc | null> {
  const _id = link?.submissionId ?? newId();
  const { ownerId, formId } = form;
  const at = now();
  const [made] = await SubmissionModel.create([
    {
      _id,
      ownerId,
      formId,
      formNumber: number,
      clientId: link?.clientId ?? null,
      caseId: link?.caseId ?? null,
      partyId: link?.partyId ?? null,
      linkId: link?._id ?? null,
      isEnquiry: form.kind === "lead",
      resumeHash: resumeId === null ? null : hashToken(resumeId),
      revision: 1,
      pageId,
      contentEnc: sealContent({ ownerId, _id }, content),
      startedAt: at,
      savedAt: at,
      ...(sending ? { ...sending, status: "submitted", submittedAt: at } : { status: "in_progress" }),
    },
  ]);
  return made?.toObject() ?? null;
}

async function again({ form, link }: OpenPlace, known: SubmissionDoc | null): Promise<SubmissionDoc> {
  const _id = known?._id ?? link?.submissionId ?? "";
  const found = await SubmissionModel.findOne({ ownerId: form.ownerId, _id }).lean();
  if (!found) throw deadLink();
  return found;
}
