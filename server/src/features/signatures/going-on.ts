// What follows when somebody signed: the case moves on, the next one is asked, and what all have signed is sealed. Whatever
// stands in its way, such as a process that died, it is found again and done then.
import { setTimeout as sleep } from "node:timers/promises";
import { isBeingSigned, OPEN_STATUSES, SIGNING_DAYS } from "@app/shared/signatures";
import mongoose from "mongoose";
import { DAY_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { writtenBeforeTheEnd } from "../../core/ending.ts";
import { createLogger, type Logger } from "../../core/logger.ts";
import { systemScope } from "../../core/system-scope.ts";
import { askToRecord, noteAgreementSigned } from "../casework/signed-agreements.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { endAsking } from "./asked-mediators.ts";
import { changeSignature } from "./changed-signatures.ts";
import { seal } from "./completing.ts";
import { tellSender } from "./sender-notices.ts";
import { isParty, type SignatureDoc, SignatureModel, type SignerDoc } from "./signatures.model.ts";
import { tellSealed } from "./sealed-letters.ts";
import { askSigners } from "./signer-letters.ts";
import { askAboutUnsigned } from "./unsigned-agreements.ts";

const REMINDED_AHEAD_MS = 2 * DAY_MS;
const log = createLogger("warn");

export async function goOn(doc: SignatureDoc): Promise<void> {
  await noteSteps(doc);
  await askSigners(doc);
  if (doc.status === "completed" && !doc.sealedFileId) await seal(doc);
  if (doc.status === "completed") await tellSealed(doc);
}

/** What it waits for, such as a scanner of viruses, is no matter of whoever signs. */
const WAITED_MS = 5000;

/** The same for whoever just signed: what is not done by then, or not at all, is done by `followSignatures`. */
export async function goOnSoon(doc: SignatureDoc, asked: Logger): Promise<void> {
  const going = writtenBeforeTheEnd(goOn(doc)).catch((error: unknown) =>
    asked.warn({ err: error, signatureId: doc._id }, "what follows a signature is done later"),
  );
  await Promise.race([going, sleep(WAITED_MS, undefined, { ref: false })]);
}

/** A signature is a step of the case; where the case is not that far, whoever sent it out looks at it. */
async function noteSteps(doc: SignatureDoc): Promise<void> {
  if (!doc.isAgreement) return;
  const { ownerId, caseId, confidences, createdBy } = doc;
  for (const { partyId, clientId } of doc.signers.filter(isParty).filter(isStepDue)) {
    const why = await noteAgreementSigned(ownerId, { caseId, partyId, confidences });
    await changeSignature(doc, async (draft) => {
      const signer = draft.signers.find((one) => one.partyId === partyId);
      if (!signer || signer.isStepNoted) return null;
      signer.isStepNoted = true;
      signer.stepRefused = why;
      if (why === "") return draft;
      await askToRecord(ownerId, { caseId, partyId, clientId, name: signer.name, assigneeId: createdBy });
      return draft;
    });
  }
}

const isStepDue = ({ signedAt, isStepNoted }: SignerDoc): boolean => signedAt !== null && !isStepNoted;

const within = (from: Date, to: Date) => mongoose.trusted({ $gt: from, $lte: to });

/** What waits for the product and not for a person. */
const due = () => {
  const at = now();
  const unsigned = { signedAt: null };
  const isLate = { ...unsigned, isLateTold: false, dueAt: mongoose.trusted({ $lte: at }) };
  const soon = within(at, new Date(at.getTime() + REMINDED_AHEAD_MS));
  const isToRemind = {
    ...unsigned,
    userId: null,
    remindedAt: null,
    askedAt: mongoose.trusted({ $lt: remindable(at) }),
    dueAt: soon,
  };
  const isUnasked = { ...unsigned, askedAt: null, task: "", dueAt: mongoose.trusted({ $gt: at }) };
  const having = (signer: object) => mongoose.trusted({ $elemMatch: signer });
  return {
    $or: [
      { status: "completed" as const, sealedFileId: null },
      { status: "completed" as const, signers: having({ isSealTold: false }) },
      {
        status: mongoose.trusted({ $in: [...OPEN_STATUSES] }),
        $or: [
          { signers: having(isLate) },
          { signers: having(isToRemind) },
          { isInOrder: false, signers: having(isUnasked) },
        ],
      },
      {
        isAgreement: true,
        signers: having({ userId: null, isStepNoted: false, signedAt: mongoose.trusted({ $ne: null }) }),
      },
    ],
  };
};

/** Whoever was asked within the shortest time that is given is not reminded of it besides. */
const remindable = (at: Date): Date => new Date(at.getTime() - (Math.min(...SIGNING_DAYS) - 1) * DAY_MS);

export const followSignatures = defineDueItems<SignatureDoc>({
  name: "follow what is signed",
  everyMs: MINUTE_MS,
  owners: () => SignatureModel.distinct("ownerId", due()).setOptions({ anyOwner: true }),
  next: (ownerId, besides, max) =>
    SignatureModel.find({ ...due(), ownerId, _id: mongoose.trusted({ $nin: besides }) })
      .sort({ createdAt: 1 })
      .limit(max)
      .lean<SignatureDoc[]>(),
  async work(doc) {
    await endLate(doc);
    await remind(doc);
    await goOn((await SignatureModel.findOne({ ownerId: doc.ownerId, _id: doc._id }).lean<SignatureDoc>()) ?? doc);
  },
  tell: ({ ownerId, caseId, createdBy, fileName, signers }) =>
    askToLook({ ownerId, caseId, createdBy, fileName, clientId: signers.find(isParty)?.clientId ?? null }),
});

/** Whose time is over: the sender is told, and can give more. */
async function endLate(doc: SignatureDoc): Promise<void> {
  await changeSignature(doc, async (draft) => {
    const late = draft.signers.filter(
      ({ signedAt, isLateTold, dueAt }) => signedAt === null && !isLateTold && dueAt <= now(),
    );
    if (late.length === 0 || !isBeingSigned(draft.status)) return null;
    await endAsking(draft, late);
    for (const signer of late) {
      signer.isLateTold = true;
      draft.note(`The time of ${signer.name} to sign is over`);
    }
    draft.status = "expired";
    await tellSender(draft, "expired", log);
    await askAboutUnsigned(draft, "late", late);
    return draft;
  });
}

/** Once, shortly before their time is over. */
async function remind(doc: SignatureDoc): Promise<void> {
  await changeSignature(doc, async (draft) => {
    const at = now();
    const soon = draft.signers
      .filter(isParty)
      .filter(
        ({ signedAt, remindedAt, askedAt, dueAt }) =>
          signedAt === null &&
          remindedAt === null &&
          askedAt !== null &&
          askedAt < remindable(at) &&
          dueAt > at &&
          dueAt.getTime() - at.getTime() <= REMINDED_AHEAD_MS,
      );
    if (soon.length === 0 || !isBeingSigned(draft.status)) return null;
    // Asked again by the same letter.
    for (const signer of soon) Object.assign(signer, { remindedAt: at, askedAt: null });
    return draft;
  });
}

interface ToLook extends Pick<SignatureDoc, "ownerId" | "caseId" | "createdBy" | "fileName"> {
  clientId: string | null;
}

async function askToLook({ ownerId, caseId, createdBy, fileName, clientId }: ToLook): Promise<void> {
  const title = `“${fileName}” was signed, but something went wrong afterwards. Look at it under Files`;
  const dueOn = await practiceToday(ownerId);
  await createTasks(systemScope(ownerId), [{ title, dueOn, assigneeId: createdBy, caseId, clientId }]);
}
