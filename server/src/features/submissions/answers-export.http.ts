// All answers of one form as a table: a row for each time that it was filled in, a column for each question.
import { answerText } from "@app/shared/answer-texts";
import { dayIn } from "@app/shared/days";
import { answerTo } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { withoutEmptySums } from "@app/shared/form-sums";
import { idSchema } from "@app/shared/ids";
import { SUBMISSION_STATUS_NAMES } from "@app/shared/submission-states";
import { listSubmissionsSchema } from "@app/shared/submissions";
import { wallTimeOf } from "@app/shared/wall-time";
import { TRPCError } from "@trpc/server";
import { now } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { sendTable, type TableFormat } from "../../core/table-answer.ts";
import { clientNames } from "../clients/clients.service.ts";
import { contentsOfAllVersions, getPublished, getVersion } from "../forms/form-versions.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { assertSees, knowsQuestions, mayReadForm, readsAnswers } from "./answer-readers.ts";
import { answersWithFiles } from "./form-files.service.ts";
import { flagsFor, submissionFilter } from "./submissions.service.ts";
import { contentOf, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

const BATCH_SIZE = 100;
const FILTER = listSubmissionsSchema
  .omit({ page: true, clientId: true, isOldestFirst: true })
  .extend({ formId: idSchema });

type AskedField = Exclude<Field, { type: "statement" }>;
interface Column {
  id: string;
  heading: string;
}

const exported = (as: TableFormat): RawRoute => ({
  access: "subscribed",
  permissions: ["clients.read", "data.export"],
  asksAgain: true,
  async answer(asked) {
    const { req, scope, log } = asked;
    const input = FILTER.safeParse({ ...req.query, isSuspect: req.query["isSuspect"] === "true" });
    if (!input.success) throw new TRPCError({ code: "BAD_REQUEST", message: "This filter cannot be used." });
    const { kind, number, name } = await getPublished(scope.ownerId, input.data.formId);
    if (!mayReadForm(scope, kind)) throw notFound("Form");
    const filter = await submissionFilter(scope, input.data);
    log.info({ event: "answers exported", formId: input.data.formId }, "audit");
    const columns = await columnsEver(scope, input.data.formId, number);
    const headings = [
      "Sent in",
      "Client",
      "Status",
      "What the mediator is told",
      ...columns.map(({ heading }) => heading),
    ];
    const day = dayIn(await practiceTimeZone(scope.ownerId), now());
    await sendTable(
      asked,
      `${asPartOfName(name)}answers-${day}`,
      { headings, rows: rowsOf(scope, columns, filter) },
      as,
    );
  },
});

const asPartOfName = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}]/gu, "-").replace(/--+/g, "-") + "-";

/** GET /export/form-answers.csv?formId=ID */
export const answersExport = exported("csv");
/** GET /export/form-answers.xlsx?formId=ID */
export const answersWorkbook = exported("xlsx");

/** In the order of the newest version, then what only earlier ones asked: answers keep the version they were given to. */
async function columnsEver(scope: Scope, formId: string, newest: number): Promise<Column[]> {
  const columns = new Map<string, Column>();
  const mayKnow = knowsQuestions(scope);
  for await (const { number, content } of contentsOfAllVersions(scope.ownerId, formId))
    for (const field of askedIn(content).filter((one) => mayKnow(content, one))) {
      const { id, label } = field;
      if (!columns.has(id))
        columns.set(id, { id, heading: number < newest ? `${label} (until version ${number})` : label });
    }
  return [...columns.values()];
}

const askedIn = ({ pages }: FormContent): AskedField[] =>
  pages.flatMap(({ fields }) => fields.flatMap((field) => (field.type === "statement" ? [] : [field])));

async function* rowsOf(
  scope: Scope,
  columns: readonly Column[],
  filter: Awaited<ReturnType<typeof submissionFilter>>,
): AsyncGenerator<string[]> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const docs = SubmissionModel.find(filter).sort({ submittedAt: -1, _id: -1 }).lean().cursor({ batchSize: BATCH_SIZE });
  for await (const doc of docs) yield await cellsOf(scope, doc, { columns, timeZone });
}

/** Of a question that this person may not read, or that this version did not ask, the cell is empty. */
async function cellsOf(
  scope: Scope,
  doc: SubmissionDoc,
  { columns, timeZone }: { columns: readonly Column[]; timeZone: string },
): Promise<string[]> {
  const { content } = await getVersion(scope.ownerId, doc.formId, doc.formNumber);
  const answers = withoutEmptySums(content, await answersWithFiles(doc, content, contentOf(doc).answers));
  const theCase = await assertSees(scope, doc);
  const mayRead = readsAnswers(scope, theCase, doc);
  const asked = new Map(askedIn(content).map((field) => [field.id, field]));
  const name = doc.clientId ? (await clientNames(scope, [doc.clientId])).get(doc.clientId) : "";
  return [
    doc.submittedAt ? minuteIn(timeZone, doc.submittedAt) : "",
    name ?? "",
    SUBMISSION_STATUS_NAMES[doc.status],
    (await flagsFor(scope, doc, { content, theCase })).join("\n"),
    ...columns.map(({ id }) => {
      const field = asked.get(id);
      return field && mayRead(content, field) ? answerText(field, answerTo(answers, id), content.currency) : "";
    }),
  ];
}

function minuteIn(timeZone: string, at: Date): string {
  const { day, time } = wallTimeOf(timeZone, at);
  return `${day} ${time}`;
}
