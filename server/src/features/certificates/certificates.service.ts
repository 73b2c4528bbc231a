import { type DocumentContent, documentContentSchema } from "@app/shared/document-content";
import mongoose from "mongoose";
import type { z } from "zod";
import { answersFor } from "@app/shared/team-access";
import {
  type Certificate,
  type ExpiringCertificate,
  type useCertificateSchema,
  type voidCertificateSchema,
} from "@app/shared/certificates";
import { addDays, daysBetween } from "@app/shared/days";
import { ASKED_MAX } from "@app/shared/party-preview";
import { forParty } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { badField, forbidden, missingWith, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Case, Party } from "@app/shared/cases";
import { assertNotLater } from "../practices/past-days.service.ts";
import { ofVisibleCases } from "../cases/case-places.service.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { type ForParty, readableFor, sealFor } from "../visibility/for-party.service.ts";
import type { GuardedItem, PartyItems } from "../visibility/visibility.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { standNoMore } from "../assessments/assessments.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { endOfUsed, endOfVoid } from "./certificate-tasks.ts";
import { type CertificateDoc, CertificateModel } from "./certificates.model.ts";

definePartyTrace("a certificate was issued", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await CertificateModel.exists({ ownerId, caseId, partyId })),
);

const CERTIFICATES_MAX = 100;

interface Look {
  scope: Scope;
  theCase: Pick<Case, "mediators">;
  day: string;
}

function toCertificate(doc: CertificateDoc, { scope, theCase, day }: Look): Certificate {
  const daysLeft = daysBetween(day, doc.expiresOn);
  return {
    ...doc,
    id: doc._id,
    assessmentId: doc.assessmentId ?? null,
    mediatedFrom: doc.mediatedFrom ?? "",
    mediatedUntil: doc.mediatedUntil ?? "",
    fewerReason: doc.fewerReason ?? "",
    daysLeft,
    mayVoid: mayVoid(scope, theCase, doc),
    status: doc.status === "issued" && daysLeft < 0 ? "expired" : doc.status,
    createdAt: doc.createdAt.toISOString(),
  };
}

/** What a mediator signed is taken back by the owner, a mediator of the case or whoever signed it, while they mediate. */
const mayVoid = (scope: Scope, { mediators }: Pick<Case, "mediators">, { issuedBy }: CertificateDoc): boolean =>
  answersFor(scope, [...mediators, { userId: issuedBy }]);

export async function listCertificates(scope: Scope, caseId: string): Promise<{ items: Certificate[] }> {
  const theCase = await getCase(scope, caseId);
  const [docs, day] = await Promise.all([
    CertificateModel.find({ ownerId: scope.ownerId, caseId }).sort({ createdAt: -1 }).limit(CERTIFICATES_MAX).lean(),
    practiceToday(scope.ownerId),
  ]);
  return { items: docs.map((doc) => toCertificate(doc, { scope, theCase, day })) };
}

export async function getCertificate(scope: Scope, id: string): Promise<Certificate> {
  const doc = await CertificateModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Certificate");
  const theCase = await missingWith("Certificate", getCase(scope, doc.caseId));
  return toCertificate(doc, { scope, theCase, day: await practiceToday(scope.ownerId) });
}

export const tellOfCertificate = (scope: Scope, { caseId, clientId, partyId }: CertificateDoc, text: string) =>
  recordEvent(scope, { kind: "case", text, caseId, clientIds: [clientId], visibility: forParty(partyId) });

/** Whoever could not declare it void does not say either that it was used. */
export async function useCertificate(
  scope: Scope,
  { id, usedOn }: z.output<typeof useCertificateSchema>,
): Promise<Certificate> {
  const { mayVoid: mayEnd, status, expiresOn, issuedOn } = await getCertificate(scope, id);
  if (!mayEnd)
    throw forbidden("Only the owner, a mediator of this case or whoever signed it can mark it used. Ask one of them.");
  await assertNotLater(scope, "usedOn", usedOn);
  if (issuedOn > expiresOn)
    throw badField("usedOn", "It was issued after its last day, so no application can have relied on it.");
  if (usedOn > expiresOn || usedOn < issuedOn) {
    const { calendarDay } = await practiceDates(scope.ownerId);
    throw badField("usedOn", `It could be used from ${calendarDay(issuedOn)} to ${calendarDay(expiresOn)}.`);
  }
  if (status === "used" || status === "void") throw wrongState(`This certificate is ${status} already.`);
  return inTransaction(async () => {
    const doc = await CertificateModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id, status: "issued" },
      { $set: { status: "used", usedOn } },
      { returnDocument: "after", lean: true },
    );
    if (!doc) throw stale("certificate");
    await endOfUsed(doc);
    await tellOfCertificate(scope, doc, `Certificate ${doc.number} used`);
    return getCertificate(scope, id);
  });
}

/** At any time, because one that was false stays so; that it was used is kept, and whoever has it is to hear of it. */
export async function voidCertificate(
  scope: Scope,
  { id, reason }: z.output<typeof voidCertificateSchema>,
): Promise<Certificate> {
  const certificate = await getCertificate(scope, id);
  if (!certificate.mayVoid)
    throw forbidden(
      "Only the owner, a mediator of this case or whoever signed it can declare it void. Ask one of them.",
    );
  if (certificate.status === "void") throw wrongState("This certificate is void already.");
  return inTransaction(async () => {
    const doc = await makeVoid(scope, id, reason);
    if (!doc) throw stale("certificate");
    return getCertificate(scope, id);
  });
}

/** In its transaction: the record that it stood on is free. Null where it was changed meanwhile. */
export async function makeVoid(scope: Scope, id: string, voidReason: string): Promise<CertificateDoc | null> {
  const doc = await CertificateModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: id, status: mongoose.trusted({ $ne: "void" }) },
    { $set: { status: "void", voidReason } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) return null;
  if (doc.assessmentId) await standNoMore(scope.ownerId, doc.assessmentId, id);
  await endOfVoid(doc);
  await tellOfCertificate(scope, doc, `Certificate ${doc.number} declared void`);
  if (doc.usedOn !== "") await askToTell(scope, doc);
  return doc;
}

async function askToTell(scope: Scope, { number, usedOn, caseId, clientId }: CertificateDoc): Promise<void> {
  const { calendarDay } = await practiceDates(scope.ownerId);
  const title = `Tell the court or the solicitor that certificate ${number}, used on ${calendarDay(usedOn)}, is void`;
  const dueOn = await practiceToday(scope.ownerId);
  await createTasks(scope, [{ title, dueOn, assigneeId: scope.userId, caseId, clientId }]);
}

/** The certificates that run out within so many days, the next first. */
export async function listExpiring(
  scope: Scope,
  { withinDays, limit }: { withinDays: number; limit: number },
): Promise<{ total: number; items: ExpiringCertificate[] }> {
  const day = await practiceToday(scope.ownerId);
  const filter = {
    ownerId: scope.ownerId,
    status: "issued" as const,
    expiresOn: mongoose.trusted({ $gte: day, $lte: addDays(day, withinDays) }),
    ...(await ofVisibleCases(scope)),
  };
  const [docs, total] = await Promise.all([
    CertificateModel.find(filter).sort({ expiresOn: 1, _id: 1 }).limit(limit).lean(),
    CertificateModel.countDocuments(filter),
  ]);
  const names = await clientNames(
    scope,
    docs.map(({ clientId }) => clientId),
  );
  return {
    total,
    items: docs.map(({ _id, number, clientId, countedFrom, expiresOn }) => ({
      id: _id,
      number,
      clientId,
      clientName: names.get(clientId) ?? "",
      countedFrom,
      expiresOn,
      daysLeft: daysBetween(day, expiresOn),
    })),
  };
}

/** A certificate with the party whom it names, for that party alone. */
export async function certificateForParty(
  scope: Scope,
  id: string,
): Promise<ForParty<{ certificate: Certificate; party: Party; text: DocumentContent | null }>> {
  const certificate = await getCertificate(scope, id);
  const kept = await CertificateModel.findOne({ ownerId: scope.ownerId, _id: id }, { content: 1 }).lean();
  const text = kept?.content ? documentContentSchema.parse(kept.content) : null;
  const theCase = await getCase(scope, certificate.caseId);
  const party = requireParty(theCase, certificate.partyId);
  const parts = [
    { visibility: forParty(party.partyId), since: certificate.createdAt, changedAt: certificate.createdAt },
  ];
  return sealFor({ theCase, partyId: party.partyId }, { certificate, party, text }, parts);
}

/** The certificates of a case that this party may see. */
export async function partyCertificates(scope: Scope, theCase: Case, partyId: string): Promise<PartyItems> {
  const docs = await CertificateModel.find({ ownerId: scope.ownerId, caseId: theCase.id, partyId })
    .sort({ createdAt: -1, _id: -1 })
    .limit(ASKED_MAX)
    .lean();
  const { calendarDay } = await practiceDates(scope.ownerId);
  const guarded = docs.map(({ _id, number, status, sentences, expiresOn, createdAt, partyId: of }): GuardedItem => ({
    kind: "certificate",
    id: _id,
    title: `Certificate ${number}`,
    detail:
      status === "void"
        ? "Declared void: it proves nothing any more."
        : `${sentences.join(" ")} Valid until ${calendarDay(expiresOn)}.`,
    at: createdAt.toISOString(),
    since: createdAt,
    changedAt: createdAt,
    visibility: forParty(of),
  }));
  return readableFor({ theCase, partyId }, guarded);
}
