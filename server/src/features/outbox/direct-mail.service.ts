// A mail that a program sends at once, by the gateway calls of the specification: the same gate, and the same record.
import { setTimeout as sleep } from "node:timers/promises";
import { cutText } from "@app/shared/cut-text";
import type { SendDetails, SendMethod } from "@app/shared/mail-payload";
import { outOfTurn } from "../../core/call-turns.ts";
import { now, SECOND_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { writtenBeforeTheEnd } from "../../core/ending.ts";
import { conflict } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { newId } from "../../core/ids.ts";
import { doOnce, type Keep, KEPT_BY_NOBODY, type Sending } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { keptCopies } from "../files/kept-copies.service.ts";
import { contentsInText } from "../mail/embedded-contents.service.ts";
import { judgeOne } from "../mail/gate.service.ts";
import { knowsNames, mayTellDiscreet, withheldWord, wordsFor } from "../mail/gate-words.service.ts";
import { type Answered, mailOf, type PassedMail, type Verdict } from "../mail/outgoing-gate.service.ts";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { tellSent } from "./outbox-history.ts";
import { recordDirectMail } from "./outbox-direct.ts";
import { type OnTaken, type OutgoingMail, SendError, toSendError } from "../mail/senders/sender.service.ts";

const NEUTRAL = "Sender, subject and names were made neutral: somebody who gets this mail must be reached discreetly.";

export interface DirectMail {
  mail: OutgoingMail;
  send: (passed: PassedMail, onTaken: OnTaken) => Promise<SendDetails>;
  /** Every mail that it answers. */
  answers: readonly Answered[];
  /** What its sender calls it, so that it leaves once however often it is sent; null where they call it nothing. */
  sending: Sending | null;
  /** Who carries it, where that is known before. */
  method?: SendMethod;
  /** Whom it may reach besides: judged like everybody else. */
  alsoReaches?: readonly string[];
  /** What its files hold, where they do not stand in the mail. */
  carries?: readonly Buffer[];
  /** Why it is refused where somebody must be reached discreetly; without this it is made neutral. */
  cannotBeNeutral?: string;
}

/**
 * Sends a mail and keeps the record that every mail of the practice has. Throws CONFLICT where the gate refuses it, and
 * SendError where it did not leave.
 */
export async function sendDirectly(scope: Scope, direct: DirectMail): Promise<SendDetails> {
  const { sending } = direct;
  if (!sending) return sendNow(scope, direct, KEPT_BY_NOBODY);
  return doOnce(scope, sending, {
    make: (keep) => sendNow(scope, direct, keep),
    look: (madeId) => whatBecameOf(scope, madeId),
  });
}

async function sendNow(scope: Scope, direct: DirectMail, keep: Keep): Promise<SendDetails> {
  const verdict = await verdictOn(scope, direct);
  const id = newId();
  await inTransaction(async () => {
    await keep(id);
    await recordDirectMail(scope, id, { ...mailOf(verdict.mail), cc: direct.mail.cc });
  });
  const sent = writtenBeforeTheEnd(hand(scope, id, { verdict, direct }));
  underWay.set(id, sent);
  return sent.finally(() => underWay.delete(id));
}

type Passed = Extract<Verdict, { passes: true }>;

async function verdictOn(
  scope: Scope,
  { mail, answers, alsoReaches = [], carries, cannotBeNeutral }: DirectMail,
): Promise<Passed> {
  // Beside an address, the gate puts the name that the practice knows there, and whoever sends it reads what leaves.
  const toName = knowsNames(scope) ? mail.toName : "";
  const judged = { ...mail, toName, cc: [...new Set([...mail.cc, ...alsoReaches])] };
  const files = carries ?? mail.attachments.map(({ content }) => content);
  const inText = await contentsInText(ofPerson(scope), mail.body);
  const keptFiles = await keptCopies(scope.ownerId, [...files, ...inText]);
  const letter = { mail: judged, clientId: null, party: null, answers, keptFiles, senderName: scope.userName };
  const verdict = await judgeOne(scope, letter);
  if (!verdict.passes) throw conflict(await wordsFor(scope, verdict.problems));
  const [one] = verdict.discreet;
  if (one && cannotBeNeutral)
    throw conflict((await mayTellDiscreet(scope, verdict.discreet)) ? cannotBeNeutral : withheldWord(one.address));
  return verdict;
}

async function hand(
  scope: Scope,
  id: string,
  { verdict, direct: { send, method } }: { verdict: Passed; direct: DirectMail },
): Promise<SendDetails> {
  const isTold = await mayTellDiscreet(scope, verdict.discreet);
  const warningsOf = (details: SendDetails) => [...(isTold ? [NEUTRAL] : []), ...(details.warnings ?? [])];
  const noteLeft = (details: SendDetails) =>
    noteSent(scope, id, { warnings: warningsOf(details), ...(method ? { method } : {}) });
  const details = await outOfTurn(() => send(verdict.mail, noteLeft)).catch(async (error: unknown) => {
    const failure = toSendError(error);
    const failed = { state: "failed", reason: cutText(failure.message, 500) };
    await note(scope, id, failure.isUncertain ? { dueAt: now() } : failed);
    throw failure;
  });
  await noteLeft(details);
  const warnings = warningsOf(details);
  return warnings.length > 0 ? { ...details, warnings } : details;
}

/** Told of once: when the mail server took it, or at the end where that could not be noted. */
const noteSent = (scope: Scope, _id: string, said: Pick<OutboxDoc, "warnings"> & Partial<Pick<OutboxDoc, "method">>) =>
  inTransaction(async () => {
    const sent = await OutboxModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id, sentAt: null },
      { $set: { state: "sent", reason: "", sentAt: now(), ...said } },
      { returnDocument: "after", lean: true },
    );
    await (sent ? tellSent(sent) : note(scope, _id, said));
  });

const WAIT_MS = 20 * SECOND_MS;
const LOOK_EVERY_MS = 200;
/** What this process is sending, by record: whoever sends the same meanwhile gets the same answer. */
const underWay = new Map<string, Promise<SendDetails>>();

/** The answer to a mail that was sent before, from its record; while another process sends it, this waits for that. */
async function whatBecameOf({ ownerId }: Scope, _id: string): Promise<SendDetails> {
  const sent = underWay.get(_id);
  if (sent) return outOfTurn(() => sent);
  const look = () => OutboxModel.findOne({ ownerId, _id }).lean();
  let doc = await look();
  const until = now().getTime() + WAIT_MS;
  while (doc?.state === "uncertain" && now().getTime() < Math.min(until, doc.dueAt.getTime())) {
    await outOfTurn(() => sleep(LOOK_EVERY_MS));
    doc = await look();
  }
  if (doc?.state !== "sent")
    throw new SendError(doc?.reason || "This mail was sent before and is gone.", {
      isUncertain: doc?.state === "uncertain",
    });
  return { messageId: doc.messageId, ...(doc.warnings.length > 0 ? { warnings: doc.warnings } : {}) };
}

const note = ({ ownerId }: Scope, _id: string, change: object) =>
  OutboxModel.findOneAndUpdate({ ownerId, _id }, { $set: change }, { returnDocument: "after", lean: true });
