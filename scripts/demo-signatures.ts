// Documents of the invented practice that were sent out to be signed, in each state that there is.
import type { Case } from "@app/shared/cases";
import { SIGNING_DAYS_DEFAULT } from "@app/shared/signatures";
import { untoldIn } from "@app/shared/told-parties";
import { DAY_MS, now } from "@app/server/core/clock";
import { KEPT_BY_NOBODY } from "@app/server/core/once";
import { createLogger } from "@app/server/core/logger";
import type { Scope } from "@app/server/core/trpc";
import { rightsNow } from "@app/server/features/access/standing.service";
import { getCase } from "@app/server/features/cases/cases.service";
import { FileModel } from "@app/server/features/files/files.model";
import { followSignatures } from "@app/server/features/signatures/going-on";
import { openOwn, signOwn } from "@app/server/features/signatures/own-signing";
import { createSignature } from "@app/server/features/signatures/new-signatures";
import { type SignatureDoc, SignatureModel, tokenFor } from "@app/server/features/signatures/signatures.model";
import { voidSignature } from "@app/server/features/signatures/signatures.service";
import { decline, openSigning, sign } from "@app/server/features/signatures/signing.service";

const log = createLogger("silent");
const PHONE = { ip: "127.0.0.1", userAgent: "A phone", log };
/** What a hand draws. */
const DRAWN = [
  [60, 180, 120, 90, 170, 190, 230, 100, 300, 180, 380, 120],
  [420, 150, 520, 140, 640, 160],
];

type Step = (doc: SignatureDoc) => Promise<unknown>;

const tokenOf = (doc: SignatureDoc, at: number): string => tokenFor(doc, doc.signers[at]?.partyId ?? "");
const opens = (doc: SignatureDoc, at: number) => openSigning(PHONE, { token: tokenOf(doc, at), proof: "" });
async function signs(doc: SignatureDoc, at: number): Promise<void> {
  await opens(doc, at);
  const mark = at === 0 ? { name: doc.signers[at]?.name ?? "", strokes: [] } : { name: "", strokes: DRAWN };
  const signed = { documentHash: doc.content.hash, hasSeenAll: true, agrees: true } as const;
  await sign(PHONE, { token: tokenOf(doc, at), proof: "", mark, ...signed });
}

async function mediatorSigns({ ownerId, _id, content, signers }: SignatureDoc): Promise<void> {
  const { userId, name } = signers.find((signer) => signer.userId) ?? {};
  const scope = userId && (await rightsNow({ ownerId, userId }));
  if (!scope) return;
  const mark = { name: name ?? "", strokes: [] };
  const signed = { documentHash: content.hash, hasSeenAll: true, agrees: true } as const;
  await openOwn({ ...PHONE, scope }, { id: _id });
  await signOwn({ ...PHONE, scope }, { id: _id, mark, ...signed });
}

/** As if its time had passed. */
async function isLate({ ownerId, _id }: SignatureDoc): Promise<void> {
  await SignatureModel.updateOne(
    { ownerId, _id },
    { $set: { "signers.$[].dueAt": new Date(now().getTime() - DAY_MS) } },
  );
  await followSignatures(log);
}

const stepsFor = (scope: Scope): Step[] => [
  async (doc) => {
    await signs(doc, 0);
    await signs(doc, 1);
    await mediatorSigns(doc);
  },
  (doc) => signs(doc, 0),
  (doc) => opens(doc, 1),
  (doc) =>
    decline(PHONE, { token: tokenOf(doc, 1), proof: "", reason: "The part about the costs is not what we said." }),
  isLate,
  (doc) => voidSignature(scope, { id: doc._id, reason: "The wrong version was sent" }),
];

const STEPS = 6;

/** Cases that are not that far have nothing to sign yet. */
const EARLY = ["enquiry", "intake", "awaiting_second_party"];

export async function demoSignatures(scope: Scope, cases: readonly Case[]): Promise<void> {
  const steps = stepsFor(scope);
  for (const { id: caseId } of cases) {
    const theCase = await getCase(scope, caseId);
    const { status, parties, mediators } = theCase;
    const signers = parties.filter(({ leftAt }) => leftAt === null).slice(0, 2);
    // The page of signatures names each of them to the other.
    const isReady = signers.length > 1 && !EARLY.includes(status) && untoldIn(theCase) === null;
    const step = isReady ? steps.shift() : undefined;
    if (!step) continue;
    // One is signed by the mediator too.
    const signing = steps.length === STEPS - 1 ? mediators.slice(0, 1) : [];
    const agreement = { ownerId: scope.ownerId, caseId, name: "Agreement to mediate.pdf" };
    const file = await FileModel.findOne(agreement).orFail().lean();
    const { id } = await createSignature(
      scope,
      {
        fileId: file._id,
        signers: [
          ...signers.map(({ partyId }) => ({ kind: "party" as const, id: partyId })),
          ...signing.map(({ userId }) => ({ kind: "mediator" as const, id: userId })),
        ],
        isInOrder: false,
        isCodeAsked: false,
        isAgreement: false,
        confidences: null,
        days: SIGNING_DAYS_DEFAULT,
        words: "Here is what we talked about.",
      },
      KEPT_BY_NOBODY,
    );
    await step(await SignatureModel.findOne({ ownerId: scope.ownerId, _id: id }).orFail().lean<SignatureDoc>());
  }
}
