// What was proposed in a case, as far as every one of its parties may read it.
import type { Case } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { OFF_SESSION_STATUSES } from "@app/shared/session-states";
import { JOINT } from "@app/shared/sessions";
import mongoose from "mongoose";
import { fewAtATime } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { openFor, readableFor } from "../visibility/for-party.service.ts";
import { isTold, timesOf } from "./session-summary.service.ts";
import { type ProposalDoc, SessionModel } from "./sessions.model.ts";

export interface SharedProposal {
  issue: string;
  text: string;
  status: ProposalDoc["status"];
  /** In words. */
  by: string;
  /** On which day it came to stand as it does. */
  on: string;
  /** Of the session that was held last, and not of an earlier one. */
  isOfLast: boolean;
}

/** In the order in which they were made. */
export async function sharedProposals(scope: Scope, theCase: Case): Promise<SharedProposal[]> {
  const { ownerId } = scope;
  const { id: caseId } = theCase;
  const parties = theCase.parties.filter(({ leftAt }) => leftAt === null);
  const timeZone = await practiceTimeZone(ownerId);
  const names = new Map(theCase.parties.map(({ partyId, name }) => [partyId, name]));
  const found: (SharedProposal & { number: number })[] = [];
  // By the day on which they were held: one of long ago may be written up last.
  let last = { number: 0, heldAt: 0 };
  const status = mongoose.trusted({ $nin: OFF_SESSION_STATUSES });
  const sessions = SessionModel.find({ ownerId, caseId, status }, { proposals: 1, number: 1, startedAt: 1, endedAt: 1 })
    .sort({ number: 1 })
    .lean();
  for await (const { proposals, number, startedAt, endedAt } of fewAtATime(sessions)) {
    const heldAt = endedAt ? (startedAt ?? endedAt).getTime() : 0;
    if (heldAt > last.heldAt) last = { number, heldAt };
    const told = proposals.filter(isTold).map((one) => ({ ...one, ...timesOf(one) }));
    const readable = parties.map(({ partyId }) =>
      openFor(readableFor({ theCase, partyId }, told), { caseId, partyId }),
    );
    const ofAll = told.filter((one) => parties.length > 0 && readable.every((each) => each.includes(one)));
    found.push(
      ...ofAll.map(({ issue, text, status: stands, byPartyId, at, history }) => ({
        number,
        isOfLast: false,
        issue,
        text,
        status: stands,
        by: byPartyId === JOINT ? "Everybody who took part" : (names.get(byPartyId) ?? "A participant"),
        on: saidOn(history) ?? dayIn(timeZone, startedAt ?? history.at(-1)?.at ?? at),
      })),
    );
  }
  return found.map(({ number, ...proposal }) => ({ ...proposal, isOfLast: number === last.number }));
}

/** The day of the answer by which it came to stand so; null where that was said in the session itself. */
function saidOn(history: ProposalDoc["history"]): string | null {
  // Nobody said what is taken back by the entry after it, nor said anything by taking it back.
  const said = history.filter((entry, index) => !entry.mistake && !history[index + 1]?.mistake);
  return said.at(-1)?.answer?.on ?? null;
}
