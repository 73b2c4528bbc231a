// What somebody answered to questions about their safety: told to those who may read screenings, and read by them where
// they screen that person. It is never taken for what whoever screens finds.
import { cutText } from "@app/shared/cut-text";
import { type Answers, answerTo } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { readersAmong } from "@app/shared/form-readers";
import type { FormKind } from "@app/shared/form-kinds";
import type {
  SafetyAnswers,
  safetyAnswersInputSchema,
  SafetySaid,
  safetySaidInputSchema,
} from "@app/shared/submissions";
import { SAFETY_ANSWERS_MAX } from "@app/shared/submission-limits";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import mongoose from "mongoose";
import type { z } from "zod";
import { notFound } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { screeningFormIds } from "../forms/form-names.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { answersOf } from "../screenings/answers-before.service.ts";
import { endTasksWith } from "../tasks/follow-up-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { needsOfKind, SCREENING_NEEDS } from "./answer-readers.ts";
import { marksForScreeners } from "./flag-notices.ts";
import { getSubmission } from "./submissions.service.ts";
import { contentOf, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

type Arrived = Pick<SubmissionDoc, "ownerId" | "clientId" | "caseId">;

interface Said {
  kind: FormKind | undefined;
  content: FormContent;
  answers: Answers;
  assigneeId: string;
}

/** Asks whoever screens to read them; call it in the transaction by which they become this client's. */
export async function answersAreThere(
  { ownerId, clientId, caseId }: Arrived,
  { kind, content, answers, assigneeId }: Said,
): Promise<void> {
  if (!clientId || needsOfKind(kind) === null) return;
  const scope = systemScope(ownerId);
  const name = (await clientNames(scope, [clientId])).get(clientId) ?? "this client";
  const marked = marksForScreeners(content, answers).map(({ text }) => text);
  await createTasks(scope, [
    {
      title: cutText(titleOf(name, marked), TASK_TITLE_MAX_LENGTH),
      dueOn: await practiceToday(ownerId),
      assigneeId,
      caseId,
      clientId,
      needs: SCREENING_NEEDS,
      endsWith: answersOf({ clientId, caseId }),
    },
  ]);
}

const titleOf = (name: string, marked: readonly string[]): string =>
  marked.length > 0
    ? `Safety: ${marked.join(" · ")}. Read the answers of ${name}`
    : `Answers about safety are there: read them when you screen ${name}`;

/** What asks to read answers about safety stays where others are taken back. */
export async function answersTakenBack({ ownerId, clientId, caseId }: Arrived, kind: FormKind): Promise<void> {
  if (clientId && needsOfKind(kind) !== null) await endTasksWith(systemScope(ownerId), answersOf({ clientId, caseId }));
}

/** The latest of a party: of this case, or of no case at all. Who reads them is logged. */
export async function safetyAnswers(
  { scope, log }: { scope: Scope; log: Logger },
  { caseId, partyId }: z.output<typeof safetyAnswersInputSchema>,
): Promise<SafetyAnswers> {
  const { ownerId } = scope;
  const party = (await getCase(scope, caseId)).parties.find((one) => one.partyId === partyId);
  if (!party) throw notFound("Party");
  const filter = await answeredBy(ownerId, { clientId: party.clientId, caseId }, await screeningFormIds(ownerId));
  const [docs, total] = await Promise.all([
    SubmissionModel.find(filter, { _id: 1 }).sort({ submittedAt: -1, _id: -1 }).limit(SAFETY_ANSWERS_MAX).lean(),
    SubmissionModel.countDocuments(filter),
  ]);
  const items = [];
  for (const { _id } of docs) items.push(await getSubmission(scope, _id));
  if (items.length > 0) log.info({ event: "safety answers read", caseId, count: items.length }, "audit");
  return { items, total };
}

/** Who of a case has said something about it: nobody looks as if they had said nothing. */
export async function safetySaid(
  scope: Scope,
  { caseId }: z.output<typeof safetySaidInputSchema>,
): Promise<SafetySaid> {
  const { ownerId } = scope;
  const { parties } = await getCase(scope, caseId);
  const formIds = await screeningFormIds(ownerId);
  const partyIds: string[] = [];
  for (const { partyId, clientId } of parties)
    if (await SubmissionModel.exists(await answeredBy(ownerId, { clientId, caseId }, formIds))) partyIds.push(partyId);
  return { partyIds };
}

async function answeredBy(
  ownerId: string,
  { clientId, caseId }: { clientId: string; caseId: string },
  screeningIds: string[],
) {
  const sent = {
    ownerId,
    clientId,
    caseId: mongoose.trusted({ $in: [null, caseId] }),
    status: mongoose.trusted({ $in: ["submitted" as const, "under_review" as const, "processed" as const] }),
    isSuspect: false,
  };
  const enquiries = await SubmissionModel.find({ ...sent, isEnquiry: true })
    .sort({ submittedAt: -1, _id: -1 })
    .limit(SAFETY_ANSWERS_MAX)
    .lean();
  const telling: string[] = [];
  for (const doc of enquiries) {
    const { content } = await getVersion(ownerId, doc.formId, doc.formNumber);
    if (tellsOfSafety(content, contentOf(doc).answers)) telling.push(doc._id);
  }
  const formId = mongoose.trusted({ $in: screeningIds });
  return { ...sent, $or: [{ formId }, { _id: mongoose.trusted({ $in: telling }) }] };
}

/** Whether something was answered that only those may read who read screenings. */
const tellsOfSafety = (content: FormContent, answers: Answers): boolean =>
  content.pages
    .flatMap(({ fields }) => fields)
    .some(
      (field) =>
        field.type !== "statement" &&
        answerTo(answers, field.id) !== undefined &&
        readersAmong(content, field).includes("screening"),
    );
