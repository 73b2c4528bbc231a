// "Tell the mediator": what answers by the general address mark becomes a task and a mail of the owner, who reads every
// answer. Nobody else is told by it; who may read the mark sees it at the answers.
import { cutText } from "@app/shared/cut-text";
import type { Answers } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { evaluateForm } from "@app/shared/form-evaluation";
import { readersOfFlag } from "@app/shared/form-readers";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { publicUrl } from "../../core/settings.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { PublishedForm } from "../forms/form-versions.service.ts";
import { tellOwner } from "../leads/owner-notices.service.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { endTasksWith, isTaskOpenWith } from "../tasks/follow-up-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { needsOfKind } from "./answer-readers.ts";
import { isAssignable, type SubmissionDoc } from "./submissions.model.ts";

export const flagTexts = (content: FormContent, answers: Answers): string[] => [
  ...new Set(evaluateForm(content, answers).flags.map(({ text }) => text)),
];

/** What of it everybody reads who may read screenings: a mark for the mediator alone is told to nobody else. */
export const marksForScreeners = (content: FormContent, answers: Answers) =>
  evaluateForm(content, answers).flags.filter(({ fieldId }) => !readersOfFlag(content, fieldId).includes("mediator"));

/** Whether answers to it can mark something, of which a mail leaves where they come by the general address. */
export const canMark = ({ pages }: FormContent): boolean =>
  pages.some(({ fields }) =>
    fields.some(
      (field) =>
        ("flag" in field && field.flag !== null) ||
        (field.type === "repeat_group" && field.fields.some(({ flag }) => flag !== null)),
    ),
  );

/** Call it in the transaction that takes the answers in, or that finds that they are no spam. */
export async function tellOfFlags(
  doc: SubmissionDoc,
  { kind, name }: Pick<PublishedForm, "kind" | "name">,
  { content, answers }: { content: FormContent; answers: Answers },
): Promise<void> {
  const { ownerId, _id, formId, submittedAt } = doc;
  if (doc.isSuspect || !submittedAt || !isAssignable(doc)) return;
  const flags = flagTexts(content, answers);
  const scope = systemScope(ownerId);
  if (flags.length === 0 || (await isTaskOpenWith(scope, flagsOf(_id)))) return;
  const isOfSafety = needsOfKind(kind) !== null;
  const title = `${isOfSafety ? "Safety: read" : "Read"} the answers to “${name}”: ${flags.join(" · ")}`;
  const task = { dueOn: await practiceToday(ownerId), assigneeId: ownerId, caseId: null, clientId: null };
  const named = { title: cutText(title, TASK_TITLE_MAX_LENGTH), isPersonal: true, endsWith: flagsOf(_id) };
  await createTasks(scope, [{ ...task, ...named }]);
  const lines = async () => {
    const { dateTime, zone } = await practiceDates(ownerId);
    return [
      "Somebody sent answers that you asked to be told of:",
      "",
      `When: ${dateTime(submittedAt)} (${zone(submittedAt)})`,
      "",
      `What they answered: ${publicUrl()}/settings/forms?answers=${formId}&open=${_id}`,
    ];
  };
  await tellOwner(ownerId, { about: "answers", subject: "New answers to read", lines });
}

/** Somebody dealt with them, or found that there is nothing to read. */
export const endFlagTask = ({ ownerId, _id }: Pick<SubmissionDoc, "ownerId" | "_id">): Promise<void> =>
  endTasksWith(systemScope(ownerId), flagsOf(_id));

const flagsOf = (submissionId: string): string => `flags:${submissionId}`;
