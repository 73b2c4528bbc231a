import mongoose from "mongoose";
import type { z } from "zod";
import { isMediatorOf, mayChooseTeam } from "@app/shared/team-access";
import {
  allowedReasons,
  type Certificate,
  CERTIFICATE_MONTHS,
  CERTIFICATE_REASON_NAMES,
  type ExpiringCertificate,
  type issueCertificateSchema,
  type useCertificateSchema,
  type voidCertificateSchema,
} from "@app/shared/certificates";
import { PARTY_STATUS_NAMES } from "@app/shared/case-states";
import { addDays, addMonths, dayIn, daysBetween } from "@app/shared/days";
import { ASKED_MAX } from "@app/shared/party-preview";
import { forParty } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, forbidden, missingWith, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Case, Party } from "@app/shared/cases";
import { ofVisibleCases } from "../cases/case-places.service.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { type ForParty, readableFor, sealFor } from "../visibility/for-party.service.ts";
import type { GuardedItem } from "../visibility/visibility.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { caseNumberPrefix, practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { accreditationOf } from "../users/users.service.ts";
import { type CertificateDoc, CertificateModel, CertificateNumberModel } from "./certificates.model.ts";

const CERTIFICATES_MAX = 100;

/** Today in the practice's zone. */
export const today = async (ownerId: string): Promise<string> => dayIn(await practiceTimeZone(ownerId), now());

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
    daysLeft,
    mayVoid: mayVoid(scope, theCase, doc),
    status: doc.status === "issued" && daysLeft < 0 ? "expired" : doc.status,
    createdAt: doc.createdAt.toISOString(),
  };
}

/** What a mediator signed is taken back by the owner, a mediator of the case or whoever signed it, while they mediate. */
const mayVoid = (scope: Scope, { mediators }: Pick<Case, "mediators">, { issuedBy }: CertificateDoc): boolean =>
  mayChooseTeam(scope, [...mediators, { userId: issuedBy }]);

export async function listCertificates(scope: Scope, caseId: string): Promise<{ items: Certificate[] }> {
  const theCase = await getCase(scope, caseId);
  const [docs, day] = await Promise.all([
    CertificateModel.find({ ownerId: scope.ownerId, caseId }).sort({ createdAt: -1 }).limit(CERTIFICATES_MAX).lean(),
    today(scope.ownerId),
  ]);
  return { items: docs.map((doc) => toCertificate(doc, { scope, theCase, day })) };
}

export async function getCertificate(scope: Scope, id: string): Promise<Certificate> {
  const doc = await CertificateModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Certificate");
  const theCase = await missingWith("Certificate", getCase(scope, doc.caseId));
  return toCertificate(doc, { scope, theCase, day: await today(scope.ownerId) });
}

/** Issues a certificate: only by an accredited mediator, and only for a reason that the case as it stands allows. */
export async function issueCertificate(
  scope: Scope,
  input: z.output<typeof issueCertificateSchema>,
): Promise<Certificate> {
  const [theCase, accreditation, day] = await Promise.all([
    getCase(scope, input.caseId),
    accreditationOf(scope),
    today(scope.ownerId),
  ]);
  const party = requireParty(theCase, input.partyId);
  if (!isMediatorOf(scope, theCase.mediators))
    throw forbidden(
      "Only a mediator of this case may sign this certificate. Whoever runs the case can add you as one.",
    );
  if (!accreditation.isAccredited)
    throw forbidden(
      "Only an accredited mediator may sign this certificate. If you are accredited, add your number on your profile.",
    );
  const allowed = allowedReasons(theCase, input.partyId);
  if (!allowed.includes(input.reason)) {
    const names = allowed.map((reason) => CERTIFICATE_REASON_NAMES[reason]).join("; ");
    throw wrongState(
      `${party.label} is "${PARTY_STATUS_NAMES[party.status]}", so this reason cannot be certified. What can: ${names || "nothing yet"}.`,
    );
  }
  if (input.issuedOn > day) throw badField("issuedOn", "This day is in the future.");
  return inTransaction(async () => {
    const [doc] = await CertificateModel.create([
      {
        ...input,
        ownerId: scope.ownerId,
        clientId: party.clientId,
        number: await nextNumber(scope.ownerId),
        status: "issued",
        expiresOn: addMonths(input.issuedOn, CERTIFICATE_MONTHS),
        issuedBy: scope.userId,
        mediatorName: scope.userName,
        accreditationNumber: accreditation.number,
        createdAt: now(),
      },
    ]);
    if (!doc) throw new Error("the certificate that was just stored is missing");
    await tell(scope, doc, `Certificate ${doc.number} issued`);
    return toCertificate(doc.toObject(), { scope, theCase, day });
  });
}

async function nextNumber(ownerId: string): Promise<string> {
  const prefix = await caseNumberPrefix(ownerId);
  const counter = await CertificateNumberModel.findOneAndUpdate(
    { _id: ownerId },
    { $inc: { last: 1 } },
    { upsert: true, returnDocument: "after", lean: true },
  );
  return [prefix, "C", String(counter?.last ?? 1).padStart(4, "0")].filter(Boolean).join("-");
}

const tell = (scope: Scope, { caseId, clientId, partyId }: CertificateDoc, text: string) =>
  recordEvent(scope, { kind: "case", text, caseId, clientIds: [clientId], visibility: forParty(partyId) });

/** Used is the end of it, so whoever could not declare it void does not bring it there either. */
export async function useCertificate(
  scope: Scope,
  { id, usedOn }: z.output<typeof useCertificateSchema>,
): Promise<Certificate> {
  const certificate = await getCertificate(scope, id);
  if (!certificate.mayVoid)
    throw forbidden("Only the owner, a mediator of this case or whoever signed it can mark it used. Ask one of them.");
  return change(scope, id, { status: "used", usedOn }, "used");
}

export async function voidCertificate(
  scope: Scope,
  { id, reason }: z.output<typeof voidCertificateSchema>,
): Promise<Certificate> {
  const certificate = await getCertificate(scope, id);
  if (!certificate.mayVoid)
    throw forbidden(
      "Only the owner, a mediator of this case or whoever signed it can declare it void. Ask one of them.",
    );
  return change(scope, id, { status: "void", voidReason: reason }, "declared void");
}

async function change(scope: Scope, id: string, set: Partial<CertificateDoc>, verb: string): Promise<Certificate> {
  const { status, expiresOn, issuedOn } = await getCertificate(scope, id);
  const isLate = set.usedOn !== undefined && (set.usedOn > expiresOn || set.usedOn < issuedOn);
  if (isLate) {
    const { calendarDay } = await practiceDates(scope.ownerId);
    throw badField("usedOn", `It could be used from ${calendarDay(issuedOn)} to ${calendarDay(expiresOn)}.`);
  }
  if (status === "used" || status === "void") throw wrongState(`This certificate is ${status} already.`);
  return inTransaction(async () => {
    const doc = await CertificateModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id, status: "issued" },
      { $set: set },
      { returnDocument: "after", lean: true },
    );
    if (!doc) throw stale("certificate");
    await tell(scope, doc, `Certificate ${doc.number} ${verb}`);
    return getCertificate(scope, id);
  });
}

/** The certificates that run out within so many days, the next first. */
export async function listExpiring(
  scope: Scope,
  { withinDays, limit }: { withinDays: number; limit: number },
): Promise<{ total: number; items: ExpiringCertificate[] }> {
  const day = await today(scope.ownerId);
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
    items: docs.map(({ _id, number, clientId, issuedOn, expiresOn }) => ({
      id: _id,
      number,
      clientId,
      clientName: names.get(clientId) ?? "",
      issuedOn,
      expiresOn,
      daysLeft: daysBetween(day, expiresOn),
    })),
  };
}

/** A certificate with the party whom it names, for that party alone. */
export async function certificateForParty(
  scope: Scope,
  id: string,
): Promise<ForParty<{ certificate: Certificate; party: Party }>> {
  const certificate = await getCertificate(scope, id);
  const theCase = await getCase(scope, certificate.caseId);
  const party = requireParty(theCase, certificate.partyId);
  const parts = [
    { visibility: forParty(party.partyId), since: certificate.createdAt, changedAt: certificate.createdAt },
  ];
  return sealFor({ theCase, partyId: party.partyId }, { certificate, party }, parts);
}

/** The certificates of a case that this party may see. */
export async function partyCertificates(
  scope: Scope,
  theCase: Case,
  partyId: string,
): Promise<ForParty<readonly GuardedItem[]>> {
  const docs = await CertificateModel.find({ ownerId: scope.ownerId, caseId: theCase.id, partyId })
    .sort({ createdAt: -1, _id: -1 })
    .limit(ASKED_MAX)
    .lean();
  const { calendarDay } = await practiceDates(scope.ownerId);
  const guarded = docs.map(({ _id, number, status, reason, expiresOn, createdAt, partyId: of }): GuardedItem => ({
    kind: "certificate",
    id: _id,
    title: `Certificate ${number}`,
    detail:
      status === "void"
        ? "Declared void: it proves nothing any more."
        : `${CERTIFICATE_REASON_NAMES[reason]}. Valid until ${calendarDay(expiresOn)}.`,
    at: createdAt.toISOString(),
    since: createdAt,
    changedAt: createdAt,
    visibility: forParty(of),
  }));
  return readableFor({ theCase, partyId }, guarded);
}
