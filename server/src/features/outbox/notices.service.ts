// What parties are told of their meetings, mail by mail.
import mongoose from "mongoose";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { contentOf, type MailContent } from "./outbox.service.ts";

export interface Notice extends Pick<OutboxDoc, "purpose" | "state"> {
  meeting: NonNullable<MailContent["meeting"]>;
}

/** The other notices of meetings of one case to the same party, whatever became of them. */
export async function otherNotices({ _id, ownerId, clientId, caseId, partyId }: OutboxDoc): Promise<Notice[]> {
  const docs = await OutboxModel.find({
    ownerId,
    clientId,
    caseId,
    partyId,
    purpose: mongoose.trusted({ $ne: "letter" as const }),
    _id: mongoose.trusted({ $ne: _id }),
  }).lean();
  return docs.flatMap((doc) => {
    const meeting = meetingOf(doc);
    return meeting ? [{ purpose: doc.purpose, state: doc.state, meeting }] : [];
  });
}

export interface Told {
  partyId: string | null;
  meeting: Notice["meeting"];
  sentAt: Date;
}

/** What of meetings has left for these clients in this case, by notices and by letters with a calendar entry. */
export async function toldOfMeetings(
  ownerId: string,
  { caseId, clientIds }: { caseId: string; clientIds: readonly string[] },
): Promise<Told[]> {
  const docs = await OutboxModel.find({
    ownerId,
    caseId,
    clientId: mongoose.trusted({ $in: [...clientIds] }),
    purpose: mongoose.trusted({ $ne: "cancellation" as const }),
    state: mongoose.trusted({ $in: ["sent", "uncertain"] as const }),
  }).lean();
  return docs.flatMap((doc) => {
    const meeting = meetingOf(doc);
    return meeting && doc.sentAt ? [{ partyId: doc.partyId, meeting, sentAt: doc.sentAt }] : [];
  });
}

interface Heard {
  caseId: string;
  partyId: string;
  clientId: string;
  meetingIds: readonly string[];
}

/**
 * Whether anything that says of these meetings that they are to be left for this party, or still may, or was kept back or
 * came back.
 */
export async function hearingOf(
  ownerId: string,
  { caseId, partyId, clientId, meetingIds }: Heard,
): Promise<"heard" | "waiting" | "kept back" | "nothing"> {
  const purpose = mongoose.trusted({ $ne: "cancellation" as const });
  const docs = await OutboxModel.find({ ownerId, caseId, partyId, clientId, purpose }).lean();
  const own = docs.filter((doc) => namesOneOf(doc, meetingIds));
  const isOne = (states: readonly OutboxDoc["state"][]) => own.some(({ state }) => states.includes(state));
  // One that is just being sent will have left.
  if (isOne(["sent", "uncertain", "sending"]) || own.some(({ mayHaveLeft }) => mayHaveLeft)) return "heard";
  if (isOne(["queued"])) return "waiting";
  return isOne(["failed", "bounced"]) ? "kept back" : "nothing";
}

function namesOneOf(doc: OutboxDoc, meetingIds: readonly string[]): boolean {
  const content = readable(doc);
  return [content?.meeting?.id, content?.keptBy].some((id) => Boolean(id) && meetingIds.includes(id ?? ""));
}

const meetingOf = (doc: OutboxDoc): MailContent["meeting"] => readable(doc)?.meeting ?? null;

function readable(doc: OutboxDoc): MailContent | null {
  try {
    return contentOf(doc);
  } catch {
    // Set aside when it is its own turn; it keeps no other one here.
    return null;
  }
}
