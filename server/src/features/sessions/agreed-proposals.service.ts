// What the parties of a case agreed in principle, as far as every one of them may read it.
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
import { SessionModel } from "./sessions.model.ts";

export interface AgreedProposal {
  issue: string;
  text: string;
  /** In words. */
  by: string;
  on: string;
}

/** In the order in which they were made. */
export async function agreedProposals(scope: Scope, theCase: Case): Promise<AgreedProposal[]> {
  const { ownerId } = scope;
  const { id: caseId } = theCase;
  const parties = theCase.parties.filter(({ leftAt }) => leftAt === null);
  const timeZone = await practiceTimeZone(ownerId);
  const names = new Map(theCase.parties.map(({ partyId, name }) => [partyId, name]));
  const agreed: AgreedProposal[] = [];
  const status = mongoose.trusted({ $nin: OFF_SESSION_STATUSES });
  const sessions = SessionModel.find({ ownerId, caseId, status }, { proposals: 1 }).sort({ number: 1 }).lean();
  for await (const { proposals } of fewAtATime(sessions)) {
    const told = proposals
      .filter((one) => isTold(one) && one.status === "agreed_in_principle")
      .map((one) => ({ ...one, ...timesOf(one) }));
    const readable = parties.map(({ partyId }) =>
      openFor(readableFor({ theCase, partyId }, told), { caseId, partyId }),
    );
    const ofAll = told.filter((one) => parties.length > 0 && readable.every((each) => each.includes(one)));
    agreed.push(
      ...ofAll.map(({ issue, text, byPartyId, at, history }) => ({
        issue,
        text,
        by: byPartyId === JOINT ? "Everybody who took part" : (names.get(byPartyId) ?? "A participant"),
        on: dayIn(timeZone, history.at(-1)?.at ?? at),
      })),
    );
  }
  return agreed;
}
