import mongoose, { type QueryFilter } from "mongoose";
import { CERTIFICATE_REMINDER_DAYS } from "@app/shared/certificates";
import { cutText } from "@app/shared/cut-text";
import { addDays, dayIn } from "@app/shared/days";
import { HOUR_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { systemScope } from "../../core/system-scope.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { lastDayAbout } from "./certificate-tasks.ts";
import { type CertificateDoc, CertificateModel } from "./certificates.model.ts";

const soonFrom = (today: string): string => addDays(today, CERTIFICATE_REMINDER_DAYS);

function due(today: string): QueryFilter<CertificateDoc> {
  return {
    status: "issued",
    $or: [
      { reminded: "none", expiresOn: mongoose.trusted({ $lte: soonFrom(today) }) },
      { reminded: "soon", expiresOn: mongoose.trusted({ $lt: today }) },
    ],
  };
}

/** Nowhere is it a later day than this; whose it is there yet is asked of each practice. */
const latestDay = (at: Date): string => dayIn("Pacific/Kiritimati", at);

// Tasks for days that have come nowhere yet were made by a clock that was ahead; the right one makes them anew.
defineDueTime({
  of: "reminders of certificates",
  times: [],
  aheadMs: 0,
  bringBack: (latest) => {
    const today = latestDay(latest);
    const isEarly = [
      { reminded: mongoose.trusted({ $ne: "none" as const }), expiresOn: mongoose.trusted({ $gt: soonFrom(today) }) },
      { reminded: "expired" as const, expiresOn: mongoose.trusted({ $gte: today }) },
    ];
    return CertificateModel.updateMany({ status: "issued", $or: isEarly }, { $set: { reminded: "none" } }).setOptions({
      anyOwner: true,
    });
  },
});

/** Makes a task for each certificate that expires soon, and one more where it has; each once, in whichever process. */
export const remindOfCertificates = defineDueItems<CertificateDoc>({
  name: "remind of certificates",
  everyMs: HOUR_MS,
  owners: () => CertificateModel.distinct("ownerId", due(latestDay(now()))).setOptions({ anyOwner: true }),
  next: async (ownerId, besides, max) =>
    CertificateModel.find({ ...due(await practiceToday(ownerId)), ownerId, _id: mongoose.trusted({ $nin: besides }) })
      .sort({ expiresOn: 1 })
      .limit(max)
      .lean<CertificateDoc[]>(),
  work: async (certificate) => remind(certificate, certificate.expiresOn < (await practiceToday(certificate.ownerId))),
  tell: askToLook,
});

async function remind({ _id, ownerId, ...certificate }: CertificateDoc, isOver: boolean): Promise<void> {
  await inTransaction(async () => {
    const { modifiedCount } = await CertificateModel.updateOne(
      { _id, ownerId, reminded: certificate.reminded },
      { $set: { reminded: isOver ? "expired" : "soon" } },
    );
    if (modifiedCount === 0) return;
    const { calendarDay } = await practiceDates(ownerId);
    const lastDay = calendarDay(certificate.expiresOn);
    const title = isOver
      ? `${nameOf(certificate)} counts until ${lastDay}: for an application after that day they need a new MIAM or mediation since`
      : `${nameOf(certificate)} ends on ${lastDay}: remind them to apply by then`;
    await createTasks(systemScope(ownerId), [
      {
        title,
        dueOn: certificate.expiresOn,
        assigneeId: certificate.issuedBy,
        caseId: certificate.caseId,
        clientId: certificate.clientId,
        about: lastDayAbout({ _id }),
      },
    ]);
  });
}

/** Of the old rules none says whom it names. */
const nameOf = ({ number, personName }: Pick<CertificateDoc, "number" | "personName">): string =>
  personName ? `Certificate ${number} of ${cutText(personName, 60)}` : `Certificate ${number}`;

/** Without the links of the record, which may be what is wrong with it. */
async function askToLook({ ownerId, expiresOn, ...certificate }: CertificateDoc): Promise<void> {
  const { calendarDay } = await practiceDates(ownerId);
  const title = `${nameOf(certificate)} ends on ${calendarDay(expiresOn)}: no task could be made in its case, so look at it there`;
  const task = { title, dueOn: expiresOn, assigneeId: ownerId, caseId: null, clientId: null };
  await createTasks(systemScope(ownerId), [task]);
}
