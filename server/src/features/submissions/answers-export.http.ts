// All answers of one form as a table: a row for each time that it was filled in, a column for each question.
import { answerText } from "@app/shared/answer-texts";
import { dayIn } from "@app/shared/days";
import { answerTo } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { idSchema } from "@app/shared/ids";
import { SUBMISSION_STATUS_NAMES } from "@app/shared/submission-limits";
import { listSubmissionsSchema } from "@app/shared/submissions";
import { TRPCError } from "@trpc/server";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { sendTable, type TableFormat } from "../../core/table-answer.ts";
import { clientNames } from "../clients/clients.service.ts";
import { getPublished, getVersion } from "../forms/form-versions.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { assertSees, readsAnswers } from "./answer-readers.ts";
import { answersWithFiles } from "./form-files.service.ts";
import { submissionFilter } from "./submissions.service.ts";
import { contentOf, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

const BATCH_SIZE = 100;
const FILTER = listSubmissionsSchema.omit({ page: true, clientId: true }).extend({ formId: idSchema });

type Column = Exclude<Field, { type: "statement" }>;

const exported = (as: TableFormat): RawRoute => ({
  access: "subscribed",
  permissions: ["clients.read", "data.export"],
  asksAgain: true,
  async answer(asked) {
    const { req, scope, log } = asked;
    const input = FILTER.safeParse({ ...req.query, isSuspect: req.query["isSuspect"] === "true" });
    if (!input.success) throw new TRPCError({ code: "BAD_REQUEST", message: "This filter cannot be used." });
    const { content } = await getPublished(scope.ownerId, input.data.formId);
    const filter = await submissionFilter(scope, input.data);
    log.info({ event: "answers exported", formId: input.data.formId }, "audit");
    const columns = columnsOf(content);
    const headings = ["Sent in", "Client", "Status", ...columns.map(({ label }) => label)];
    await sendTable(asked, "answers", { headings, rows: rowsOf(scope, columns, filter) }, as);
  },
});

/** GET /export/form-answers.csv?formId=ID */
export const answersExport = exported("csv");
/** GET /export/form-answers.xlsx?formId=ID */
export const answersWorkbook = exported("xlsx");

const columnsOf = ({ pages }: FormContent): Column[] =>
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
  const answers = await answersWithFiles(doc, content, contentOf(doc).answers);
  const mayRead = readsAnswers(scope, await assertSees(scope, doc), doc);
  const asked = new Map(columnsOf(content).map((field) => [field.id, field]));
  const name = doc.clientId ? (await clientNames(scope, [doc.clientId])).get(doc.clientId) : "";
  return [
    doc.submittedAt ? dayIn(timeZone, doc.submittedAt) : "",
    name ?? "",
    SUBMISSION_STATUS_NAMES[doc.status],
    ...columns.map(({ id }) => {
      const field = asked.get(id);
      return field && mayRead(content, field) ? answerText(field, answerTo(answers, id), content.currency) : "";
    }),
  ];
}
