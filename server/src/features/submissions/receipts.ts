// What whoever sent a form in may have of it: a mail that it arrived, and their own answers. A token of that sending
// opens both, for a short while, so that nothing leads back to it from a phone that others look at.
import type { MailReceipt } from "@app/shared/form-mails";
import { givesReceipt } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { RECEIPT_MINUTES } from "@app/shared/submission-limits";
import type { Submission } from "@app/shared/submissions";
import { forParty, NO_TIMES } from "@app/shared/visibility";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { openHandedOut, sealHandedOut } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { TOLERANCE_MS } from "../../core/due-times.ts";
import { notFound } from "../../core/visitor-refusals.ts";
import { doOnce } from "../../core/once.ts";
import type { Context } from "../../core/trpc.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { getVersion, type PublishedForm } from "../forms/form-versions.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { takesFromOutside } from "../subscriptions/subscriptions.service.ts";
import { type ForParty, sealFor, sealForNoParty } from "../visibility/for-party.service.ts";
import { answersWithFiles } from "./form-files.service.ts";
import { FormLinkModel } from "./form-links.model.ts";
import { countAsked, countMailed } from "./public-limits.ts";
import { mailClient, mailStranger } from "./self-mails.ts";
import { pagesOf } from "./submissions.service.ts";
import { contentOf, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

const PLACE = "form_receipts";
const OPEN_MS = RECEIPT_MINUTES * MINUTE_MS;

type Sent = Pick<SubmissionDoc, "_id" | "ownerId">;
export type Receipt = Pick<Submission, "pages" | "submittedAt"> & { title: string };

/** Null where the form gives none. */
export const receiptOf = ({ ownerId, _id }: Sent, { content, kind }: Pick<PublishedForm, "content" | "kind">) =>
  givesReceipt(content, kind) ? sealHandedOut(JSON.stringify([ownerId, _id]), PLACE) : null;

/** What was sent, as long as its receipt can be had. Whatever is wrong with the token, the answer is the same. */
export async function openReceipt(token: string): Promise<{ doc: SubmissionDoc; form: PublishedForm }> {
  const [ownerId, _id] = sentBy(token);
  const doc = ownerId && _id ? await SubmissionModel.findOne({ ownerId, _id }).lean() : null;
  const ageMs = now().getTime() - (doc?.submittedAt?.getTime() ?? 0);
  if (!doc?.submittedAt || doc.status === "withdrawn" || ageMs > OPEN_MS || ageMs < -TOLERANCE_MS) throw gone();
  const form = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
  if (!givesReceipt(form.content, form.kind) || !(await takesFromOutside(doc.ownerId))) throw gone();
  return { doc, form };
}

const gone = () => notFound("Receipt");

function sentBy(token: string): [string?, string?] {
  try {
    const [ownerId, id]: unknown[] = JSON.parse(openHandedOut(token, PLACE));
    return typeof ownerId === "string" && typeof id === "string" ? [ownerId, id] : [];
  } catch {
    // Whatever was changed or made up opens nothing.
    return [];
  }
}

/** Their own answers, and nothing that the practice makes of them or others wrote; no more than may be read of it. */
export async function receiptFor(
  doc: SubmissionDoc,
  { content }: PublishedForm,
  isReadable: (field: Field) => boolean = () => true,
): Promise<ForParty<Receipt>> {
  const { clientId, caseId, partyId } = doc;
  const answers = await answersWithFiles(doc, content, contentOf(doc).answers);
  const pages = pagesOf(content, answers, (field) => wasOnScreen(field) && isReadable(field));
  const receipt = { title: content.title, submittedAt: doc.submittedAt?.toISOString() ?? null, pages };
  if (!caseId || !partyId) return sealForNoParty(clientId, receipt, []);
  const theCase = await getCase(systemScope(doc.ownerId), caseId);
  return sealFor({ theCase, partyId }, receipt, [{ visibility: forParty(partyId), ...NO_TIMES }]);
}

const wasOnScreen = (field: Field): boolean =>
  field.type !== "hidden" && (field.type !== "calculated" || field.isShown);

/** That it arrived, without a word of what was said. */
export async function mailReceipt({ ip, log }: Pick<Context, "ip" | "log">, input: MailReceipt): Promise<null> {
  await countAsked(ip);
  const { doc } = await openReceipt(input.receipt);
  const { ownerId, formId, linkId, submittedAt } = doc;
  const link = linkId ? await FormLinkModel.findOne({ ownerId, _id: linkId }).lean() : null;
  const sending = { id: input.changeId, what: "submissions.filling.mailReceipt", input: [doc._id, input.email] };
  return doOnce(systemScope(ownerId), sending, {
    look: () => Promise.resolve(null),
    make: async (keep) => {
      await countMailed(ip, { formId, place: doc._id });
      const words = await wordsFor(ownerId, submittedAt ?? now());
      return inTransaction(async () => {
        await keep("");
        // What looks like spam bothers nobody else's mailbox.
        if (link) await mailClient(link, words, log);
        else if (!doc.isSuspect) await mailStranger(ownerId, input.email, words);
        return null;
      });
    },
  });
}

async function wordsFor(ownerId: string, at: Date) {
  const { longDay, time } = await practiceDates(ownerId);
  const text = [
    `Your answers arrived on ${longDay(at)} at ${time(at)}. You need not do anything more.`,
    "",
    "You asked for this message. If you did not, you need not do anything.",
  ].join("\n");
  return { subject: "Your answers have arrived", text };
}
