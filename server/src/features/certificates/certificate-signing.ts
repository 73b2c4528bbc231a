// Who may sign a certificate, and how one is signed: numbered, in the place of the one that stands, and told of.
import type { Assessment } from "@app/shared/assessments";
import { hasMiams } from "@app/shared/case-states";
import { hasWord } from "@app/shared/has-word";
import type { Case } from "@app/shared/cases";
import type { Certificate, CertificateChoices } from "@app/shared/certificates";
import type { Practice } from "@app/shared/practices";
import { isMediatorOf, mayMediate } from "@app/shared/team-access";
import { now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { badField, conflict } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { requireParty } from "../cases/cases.service.ts";
import { caseNumberPrefix } from "../practices/practices.service.ts";
import { certificateText, ownCertificateWords } from "../documents/certificate-text.service.ts";
import { accreditationOf } from "../users/users.service.ts";
import { certificateData } from "./certificate-data.ts";
import { type CertificateDoc, CertificateModel, CertificateNumberModel } from "./certificates.model.ts";
import { getCertificate, makeVoid, tellOfCertificate } from "./certificates.service.ts";

/** Why there is no certificate in a case of this kind or in this law: then nothing else about it is of use to anybody. */
export const notHere = ({ domain }: Pick<Case, "domain">, { region }: Pick<Practice, "region">): string[] =>
  hasMiams({ domain, region }) ? [] : ["Only family cases in England and Wales have this certificate."];

/** Why this person signs nothing in this case. */
export function notItsMediator(scope: Scope, { mediators }: Pick<Case, "mediators">): string[] {
  if (!mayMediate(scope.role)) return ["Only a mediator may sign this certificate."];
  if (isMediatorOf(scope, mediators)) return [];
  return ["Only a mediator of this case may sign this certificate. Whoever runs the case can add you as one."];
}

/** Why this person signs nothing about a MIAM (FPR 3.2, PD3A paragraph 6: an authorised family mediator does). */
export async function notAuthorised(
  scope: Scope,
  { mediators }: Pick<Case, "mediators">,
  { mediatorId }: Pick<Assessment, "mediatorId">,
): Promise<string[]> {
  // Whoever held it answers for it, though others mediate.
  const problems = notItsMediator(scope, { mediators: [...mediators, { userId: mediatorId, isLead: false }] });
  if (problems.length > 0) return problems;
  const { isAccredited, isConfirmed, number } = await accreditationOf(scope);
  if (!isAccredited || number === "")
    return [
      "Only an accredited mediator may sign this certificate. If you are accredited, add your FMC registration number (URN) on your profile.",
    ];
  if (isConfirmed) return [];
  return [
    "The owner of the practice has not confirmed your FMC registration number (URN) yet. They do it under Settings, Staff and permissions.",
  ];
}

export const replacesOf = (standing: readonly CertificateDoc[]): CertificateChoices["replaces"] =>
  standing.map(({ number, usedOn }) => ({ number, usedOn }));

interface Signing {
  theCase: Case;
  partyId: string;
  /** Those that it makes void, and why. */
  standing: readonly CertificateDoc[];
  replaceReason: string;
  /** Whether the signer has read the practice's own words that stand on it. */
  hasReadWords: boolean;
}

type Said = Pick<
  CertificateDoc,
  "rules" | "statements" | "sentences" | "issuedOn" | "countedFrom" | "expiresOn" | "conductedByName" | "serviceName"
> &
  Partial<
    Pick<CertificateDoc, "assessmentId" | "attendedOn" | "mediatedFrom" | "mediatedUntil" | "mediating" | "fewerReason">
  >;

/** Signs it. What else stands on it is stored with it, by `then`. */
export async function sign(
  scope: Scope,
  signing: Signing,
  said: Said,
  then: (id: string) => Promise<void> = () => Promise.resolve(),
): Promise<Certificate> {
  const { standing, replaceReason } = signing;
  const own = await ownCertificateWords(scope.ownerId);
  if (own.length > 0 && !signing.hasReadWords)
    throw badField(
      "hasReadWords",
      `These words of the practice stand on it: ${own.map((line) => `“${line}”`).join(" ")} Confirm that they are true of this person.`,
    );
  if (standing.length > 0 && !hasWord(replaceReason))
    throw badField(
      "replaceReason",
      `${standing.map(({ number }) => number).join(" and ")} stands, and a new certificate makes it void. Say why.`,
    );
  try {
    return await inTransaction(async () => {
      const doc = await store(scope, signing, said);
      await then(doc._id);
      await tellOfCertificate(scope, doc, `Certificate ${doc.number} issued`);
      return getCertificate(scope, doc._id);
    });
  } catch (error) {
    if (isDuplicateKey(error))
      throw conflict("A certificate of the same was issued a moment ago. Look at it before you issue another one.");
    throw error;
  }
}

async function store(
  scope: Scope,
  { theCase, partyId, standing, replaceReason }: Signing,
  said: Said,
): Promise<CertificateDoc> {
  const { ownerId, userId: issuedBy, userName: mediatorName } = scope;
  const { isConfirmed, number: urn } = await accreditationOf(scope);
  const accreditationNumber = isConfirmed ? urn : "";
  const { clientId, name: personName } = requireParty(theCase, partyId);
  const number = await nextNumber(ownerId);
  for (const old of standing) await replace(scope, old, `Replaced by ${number}: ${replaceReason}`);
  const who = { caseId: theCase.id, partyId, clientId, personName, issuedBy, mediatorName, accreditationNumber };
  // Of one whose months are over already nobody is reminded.
  const reminded = said.expiresOn < said.issuedOn ? "expired" : "none";
  const content = await certificateText(ownerId, await certificateData(ownerId, { ...said, ...who, number }));
  const [doc] = await CertificateModel.create([
    { ...said, ...who, ownerId, number, content, status: "issued", reminded, createdAt: now() },
  ]);
  if (!doc) throw new Error("the certificate that was just stored is missing");
  return doc;
}

async function replace(scope: Scope, { _id }: CertificateDoc, voidReason: string): Promise<void> {
  if (!(await makeVoid(scope, _id, voidReason)))
    throw conflict("The certificate that this one replaces was changed a moment ago. Look at it, and try again.");
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
