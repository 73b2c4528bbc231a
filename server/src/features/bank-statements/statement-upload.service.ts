// A file of the bank on its way in. It is read and forgotten: kept is only what came in by it.
import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { STATEMENT_MAX_BYTES } from "@app/shared/bank-columns";
import type { UploadedStatement, UploadStatement } from "@app/shared/bank-statements";
import { TRPCError } from "@trpc/server";
import mongoose from "mongoose";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { newId } from "../../core/ids.ts";
import { doOnce } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { spool, TooLargeError } from "../files/blobs.service.ts";
import { getPractice } from "../practices/practices.service.ts";
import type { LeftOut } from "./bank-line.ts";
import { BankLineModel, StatementModel } from "./bank-statements.model.ts";
import { assertWholePractice, getStatement } from "./bank-statements.service.ts";
import { fingerprintsOf, recordedAmong } from "./recorded-lines.ts";
import { readStatementSchema, type work } from "./statement.foreign.ts";

type ReadStatement = z.infer<typeof readStatementSchema>;

const LIMIT_MS = 8000;
const BATCH = 500;
const TOO_MUCH = "This file takes too long to read. Choose a shorter period and export it again.";
const UNREADABLE = "This file cannot be read. Export it again as CSV, OFX or CAMT.053 and choose it again.";

const statementIn = defineForeign<typeof work>({
  file: new URL("./statement.foreign.ts", import.meta.url),
  output: readStatementSchema,
  limitMs: LIMIT_MS,
  lane: "long",
  refuse: (why) => badField("file", why === "too-much" ? TOO_MUCH : UNREADABLE),
});

export const tooLargeStatement = () =>
  new TRPCError({
    code: "PAYLOAD_TOO_LARGE",
    message: "This file is larger than 5 MB. Choose a shorter period and export it again.",
  });

type Upload = UploadStatement & { id: string };

/** Asks what the columns are, where the file does not say; otherwise takes in what came in by it. Nothing is recorded. */
export async function uploadStatement(
  scope: Scope,
  arriving: Readable,
  { id, ...upload }: Upload,
  // Who this is once the file is here: it takes its time, and rights change meanwhile.
  present: () => Promise<Scope>,
): Promise<UploadedStatement> {
  assertWholePractice(scope);
  const file = await spooled(arriving);
  try {
    const { region, currency } = await getPractice(scope);
    const { columns, dateOrder, name } = upload;
    const usualOrder = region === "united_states" ? "mdy" : "dmy";
    const read = await statementIn(ofPerson(scope), { file, columns, dateOrder, currency, usualOrder });
    if (read.table && columns === null) return { outcome: "asks_columns", table: read.table };
    if (read.lines.length === 0) throw badField("file", whyNothing(read.leftOut));
    assertWholePractice(await present());
    const hash = createHash("sha256")
      .update(await readFile(file))
      .digest("base64url");
    const statement = await doOnce(
      scope,
      { id, what: "bankStatements.upload", input: { ...upload, hash } },
      {
        make: (keep) =>
          inTransaction(async () => {
            const statementId = await store(scope, name, read);
            await keep(statementId);
            return getStatement(scope, statementId);
          }),
        look: (madeId) => getStatement(scope, madeId),
      },
    );
    return { outcome: "taken_in", statement };
  } finally {
    await rm(file, { force: true });
  }
}

async function spooled(arriving: Readable): Promise<string> {
  try {
    return (await spool(arriving, STATEMENT_MAX_BYTES)).file;
  } catch (error) {
    throw error instanceof TooLargeError ? tooLargeStatement() : error;
  }
}

const whyNothing = ({ unreadableCount, paidOut }: LeftOut): string =>
  unreadableCount > 0
    ? "No amount that came in could be read. Look which columns hold the date and the amount, and choose them again."
    : paidOut > 0
      ? "Nothing came in by this file: it lists only money that went out. Choose another period."
      : "This file has no transactions. Choose another one.";

async function store(scope: Scope, fileName: string, { format, lines, leftOut }: ReadStatement): Promise<string> {
  const { ownerId, userId, userName } = scope;
  const [statementId, importedAt] = [newId(), now()];
  const fingerprints = fingerprintsOf(lines);
  const recorded = await recordedAmong(ownerId, fingerprints);
  const known = mongoose.trusted({ $in: fingerprints });
  const aside = new Set(await BankLineModel.distinct("fingerprint", { ownerId, fingerprint: known, isSetAside: true }));
  await StatementModel.create([
    {
      _id: statementId,
      ownerId,
      fileName,
      format,
      notes: notesOf(leftOut),
      importedAt,
      importedBy: userId,
      importedByName: userName,
    },
  ]);
  const docs = lines.map(({ account: _account, ...line }, place) => {
    const fingerprint = fingerprints[place] ?? "";
    const paymentId = recorded.get(fingerprint) ?? "";
    return {
      ...line,
      ownerId,
      statementId,
      fingerprint,
      place,
      importedAt,
      paymentId,
      isSetAside: aside.has(fingerprint),
    };
  });
  for (let at = 0; at < docs.length; at += BATCH)
    await BankLineModel.create(docs.slice(at, at + BATCH), { ordered: true });
  return statementId;
}

function notesOf({ paidOut, notBooked, unreadable, unreadableCount }: LeftOut): string[] {
  const rows = unreadable.join(", ") + (unreadableCount > unreadable.length ? " and others" : "");
  return [
    ...(paidOut > 0 ? [`${counted(paidOut, "amount")} that went out ${paidOut === 1 ? "is" : "are"} left out.`] : []),
    ...(notBooked > 0
      ? [
          `${counted(notBooked, "amount")} that the bank has not booked, or has taken back, ${notBooked === 1 ? "is" : "are"} left out.`,
        ]
      : []),
    ...(unreadableCount > 0
      ? [
          `${counted(unreadableCount, "row")} could not be read: ${rows}. Look at them in the file, and record by hand what came in.`,
        ]
      : []),
  ];
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
