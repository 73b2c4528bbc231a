import mongoose, { type QueryFilter } from "mongoose";
import { CERTIFICATE_REMINDER_DAYS } from "@app/shared/certificates";
import { addDays } from "@app/shared/days";
import { HOUR_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { openQueue } from "../../core/set-aside.ts";
import { systemScope } from "../../core/system-scope.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { type CertificateDoc, CertificateModel } from "./certificates.model.ts";

const BATCH = 200;

defineRepeatedJob({ name: "remind of certificates", everyMs: HOUR_MS, run: remindOfCertificates });

/** Makes a task for each certificate that expires soon, and one more where it has; each once, in whichever process. */
export async function remindOfCertificates(log: Logger): Promise<void> {
  const day = now().toISOString().slice(0, 10);
  const soon = addDays(day, CERTIFICATE_REMINDER_DAYS);
  const isDue: QueryFilter<CertificateDoc>[] = [
    { reminded: "none", expiresOn: mongoose.trusted({ $lte: soon }) },
    { reminded: "soon", expiresOn: mongoose.trusted({ $lt: day }) },
  ];
  const queue = await openQueue("remind of certificates");
  const due = await CertificateModel.find({
    _id: mongoose.trusted({ $nin: queue.held }),
    status: "issued",
    $or: isDue,
  })
    .setOptions({ anyOwner: true })
    .limit(BATCH)
    .lean<CertificateDoc[]>();
  await queue.each(due, {
    log,
    keyOf: ({ _id }) => _id,
    work: (certificate) => remind(certificate, certificate.expiresOn < day),
    tell: askToLook,
  });
  if (due.length > 0) log.info({ count: due.length }, "reminded of certificates");
}

async function remind({ _id, ownerId, ...certificate }: CertificateDoc, isOver: boolean): Promise<void> {
  await inTransaction(async () => {
    const { modifiedCount } = await CertificateModel.updateOne(
      { _id, ownerId, reminded: certificate.reminded },
      { $set: { reminded: isOver ? "expired" : "soon" } },
    );
    if (modifiedCount === 0) return;
    const { calendarDay } = await practiceDates(ownerId);
    const title = isOver
      ? `Certificate ${certificate.number} has expired: a new assessment meeting is needed before an application`
      : `Certificate ${certificate.number} expires on ${calendarDay(certificate.expiresOn)}: remind the client`;
    await createTasks(systemScope(ownerId), [
      {
        title,
        dueOn: certificate.expiresOn,
        assigneeId: certificate.issuedBy,
        caseId: certificate.caseId,
        clientId: certificate.clientId,
      },
    ]);
  });
}

/** Without the links of the record, which may be what is wrong with it. */
async function askToLook({ ownerId, number, expiresOn }: CertificateDoc): Promise<void> {
  const { calendarDay } = await practiceDates(ownerId);
  const title = `Certificate ${number} expires on ${calendarDay(expiresOn)}: no task could be made in its case, so look at it there`;
  const task = { title, dueOn: expiresOn, assigneeId: ownerId, caseId: null, clientId: null };
  await createTasks(systemScope(ownerId), [task]);
}
