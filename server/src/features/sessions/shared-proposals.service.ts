// What was proposed in the mediation of a case, as far as every one of its parties may read it.
import type { Case, Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { inWords } from "@app/shared/in-words";
import { JOINT } from "@app/shared/sessions";
import mongoose from "mongoose";
import { fewAtATime } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { openFor, readableFor } from "../visibility/for-party.service.ts";
import { mediatedSessions } from "./mediated-sessions.service.ts";
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
  /** Who mediated where it was made, in words, where that is not everybody who takes part now; else empty. */
  among: string;
  /** Of the session that was held last, and not of an earlier one. */
  isOfLast: boolean;
}

/** Those of the sessions of this round of the case, in the order in which they were made. */
export async function sharedProposals(scope: Scope, theCase: Case): Promise<SharedProposal[]> {
  const { ownerId } = scope;
  const { id: caseId } = theCase;
  const present = theCase.parties.filter(({ leftAt }) => leftAt === null);
  const timeZone = await practiceTimeZone(ownerId);
  const mediated = await mediatedSessions(scope, theCase);
  const [last] = mediated;
  const found: SharedProposal[] = [];
  const number = mongoose.trusted({ $in: mediated.map((session) => session.number) });
  const sessions = SessionModel.find({ ownerId, caseId, number }, { proposals: 1, number: 1, startedAt: 1, endedAt: 1 })
    .sort({ number: 1 })
    .lean();
  for await (const session of fewAtATime(sessions)) {
    const told = session.proposals.filter(isTold).map((one) => ({ ...one, ...timesOf(one) }));
    const readable = present.map(({ partyId }) =>
      openFor(readableFor({ theCase, partyId }, told), { caseId, partyId }),
    );
    const ofAll = told.filter((one) => present.length > 0 && readable.every((each) => each.includes(one)));
    const mediating = mediated.find((one) => one.number === session.number)?.mediating ?? [];
    const among = amongWords(present, mediating);
    found.push(
      ...ofAll.map(({ issue, text, status, byPartyId, at, history }) => ({
        isOfLast: session.number === last?.number,
        issue,
        text,
        status,
        by: byPartyId === JOINT ? among || "Everybody who took part" : nameIn(theCase, byPartyId),
        on: saidOn(history) ?? dayIn(timeZone, session.startedAt ?? history.at(-1)?.at ?? at),
        among,
      })),
    );
  }
  return found;
}

function amongWords(present: readonly Party[], mediating: readonly Party[]): string {
  const isAll = mediating.length === present.length && mediating.every((party) => present.includes(party));
  return isAll ? "" : inWords(mediating.map(nameOf));
}

const nameIn = ({ parties }: Case, byPartyId: string): string => {
  const party = parties.find(({ partyId }) => partyId === byPartyId);
  return party ? nameOf(party) : "A participant";
};

/** Nobody is bound by what somebody said who has left: whoever reads it is to know. */
const nameOf = ({ name, leftAt }: Party): string => (leftAt === null ? name : `${name} (who has left since)`);

/** The day of the answer by which it came to stand so; null where that was said in the session itself. */
function saidOn(history: ProposalDoc["history"]): string | null {
  // Nobody said what is taken back by the entry after it, nor said anything by taking it back.
  const said = history.filter((entry, index) => !entry.mistake && !history[index + 1]?.mistake);
  return said.at(-1)?.answer?.on ?? null;
}
