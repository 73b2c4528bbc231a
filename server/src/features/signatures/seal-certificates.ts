// The practice's own certificate, of an issuer that readers of PDFs know: seals made from then on are by it.
import type { AddSealCertificate, SealCertificate } from "@app/shared/signatures";
import { createPrivateKey, webcrypto } from "node:crypto";
import mongoose from "mongoose";
import { z } from "zod";
import { DAY_MS, HOUR_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { badField } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Context, Scope } from "../../core/trpc.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import type { work as workPfx } from "./pfx.foreign.ts";
import {
  openCertificateKey,
  type SealCertificateDoc,
  sealCertificateKey,
  SealCertificateModel,
} from "./seal-certificates.model.ts";

const READ_MS = 1500;
const TOLD_AHEAD_MS = 30 * DAY_MS;

const readPfx = defineForeign<typeof workPfx>({
  file: new URL("./pfx.foreign.ts", import.meta.url),
  output: z.object({
    pkcs8: z.instanceof(Uint8Array),
    certificates: z.array(z.instanceof(Uint8Array)),
    subject: z.string(),
    issuer: z.string(),
    startsAt: z.date(),
    endsAt: z.date(),
  }),
  limitMs: READ_MS,
  refuse: () => badField("file", "This file cannot be read. Export the certificate anew as a .p12 or .pfx file."),
});

type Caller = Pick<Context, "log"> & { scope: Scope };

/** Null where the practice seals by its own made key. */
export async function getSealCertificate({ ownerId }: Scope): Promise<SealCertificate | null> {
  const doc = await SealCertificateModel.findById(ownerId).lean<SealCertificateDoc>();
  return doc && toCertificate(doc);
}

/** In place of the one before. Throws at its field where it cannot be read, or may not seal. */
export async function addSealCertificate(
  { scope, log }: Caller,
  { file, password }: AddSealCertificate,
): Promise<SealCertificate> {
  const at = now();
  const bytes = new Uint8Array(Buffer.from(file, "base64"));
  const { pkcs8, certificates, ...about } = await readPfx(ofPerson(scope), { bytes, password, at });
  const { ownerId, userName } = scope;
  const fields = {
    ownerId,
    keyEnc: sealCertificateKey(ownerId, pkcs8),
    certificates: certificates.map((der) => ({ buffer: Buffer.from(der) })),
    ...about,
    isEndTold: false,
    addedAt: at,
    addedByName: userName,
  };
  const doc = await SealCertificateModel.findOneAndUpdate(
    { _id: ownerId },
    { $set: fields },
    { upsert: true, returnDocument: "after", lean: true },
  ).orFail();
  log.info({ event: "certificate for seals added", ownerId, userId: scope.userId }, "audit");
  return toCertificate(doc);
}

/** Seals are then made by the practice's own made key again; those that were made stay as they are. */
export async function removeSealCertificate({ scope: { ownerId, userId }, log }: Caller): Promise<null> {
  await SealCertificateModel.deleteOne({ _id: ownerId });
  log.info({ event: "certificate for seals removed", ownerId, userId }, "audit");
  return null;
}

const toCertificate = ({ subject, issuer, startsAt, endsAt, addedAt, addedByName }: SealCertificateDoc) => ({
  subject,
  issuer,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
  isOver: endsAt <= now(),
  addedAt: addedAt.toISOString(),
  addedByName,
});

/** What seals, and the certificates that say whose it is, its own first. */
export interface SealingKey {
  key: webcrypto.CryptoKey;
  certificates: readonly Buffer[];
}

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const CURVES: Record<string, string> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };

/** The certificate that was added; null where there is none, or its time is over. */
export async function addedSealingKey(ownerId: string): Promise<SealingKey | null> {
  const doc = await SealCertificateModel.findById(ownerId).lean<SealCertificateDoc>();
  if (!doc || doc.endsAt <= now()) return null;
  const pkcs8 = openCertificateKey(ownerId, doc.keyEnc);
  const { namedCurve } = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" }).asymmetricKeyDetails ?? {};
  const algorithm = namedCurve ? { name: "ECDSA", namedCurve: CURVES[namedCurve] ?? namedCurve } : RSA;
  const key = await webcrypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
  return { key, certificates: doc.certificates.map(({ buffer }) => Buffer.from(buffer.buffer)) };
}

const ending = () => ({
  isEndTold: false,
  endsAt: mongoose.trusted({ $lte: new Date(now().getTime() + TOLD_AHEAD_MS) }),
});

/** The owner is told in time to get another one. */
export const followSealCertificates = defineDueItems<SealCertificateDoc>({
  name: "tell of certificates that end",
  everyMs: HOUR_MS,
  owners: () => SealCertificateModel.distinct("ownerId", ending()),
  next: (ownerId, besides, max) =>
    SealCertificateModel.find({ ...ending(), ownerId, _id: mongoose.trusted({ $in: [ownerId], $nin: besides }) })
      .limit(max)
      .lean<SealCertificateDoc[]>(),
  work: ({ ownerId }) => inTransaction(() => tellOfEnd(ownerId)),
  tell: ({ ownerId }) => askForAnother(ownerId, "soon"),
});

async function tellOfEnd(ownerId: string): Promise<void> {
  const doc = await SealCertificateModel.findOneAndUpdate(
    { _id: ownerId, ...ending() },
    { $set: { isEndTold: true } },
    { lean: true },
  );
  const { longDay } = await practiceDates(ownerId);
  if (doc) await askForAnother(ownerId, `on ${longDay(doc.endsAt)}`);
}

async function askForAnother(ownerId: string, when: string): Promise<void> {
  const title = `The certificate that seals your documents ends ${when}. Add a new one under Account, Practice`;
  const dueOn = await practiceToday(ownerId);
  await createTasks(systemScope(ownerId), [{ title, dueOn, assigneeId: ownerId, caseId: null, clientId: null }]);
}
