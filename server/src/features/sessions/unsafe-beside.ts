// Whoever is not safe may be afraid for, or of, those who go on without them: why they do is asked once of what was found.
import type { Case } from "@app/shared/cases";
import { HELD_SESSION_STATUSES, type SessionStatus, wasThere } from "@app/shared/session-states";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { heldReasonsIn } from "../meetings/held-reasons.service.ts";
import { countsHere } from "../screenings/found-elsewhere.service.ts";
import { lastFoundUnsafe, unsafeAt } from "../screenings/past-screenings.service.ts";
import { type Gap, type SessionDoc, SessionModel, type UnmetDoc } from "./sessions.model.ts";

/** One that was called off gave no reason to go by. */
const BEGUN: readonly SessionStatus[] = ["in_progress", ...HELD_SESSION_STATUSES];

interface Met {
  parties: Case["parties"];
  at: Date;
  /** What was said of this meeting is kept with its session. */
  meetingId: string | null;
  /** What is kept with this session itself stays with it. */
  unmet?: SessionDoc["unmet"];
}

/** One for each who is not safe while these meet, and of whom nobody said yet why they do. */
export async function unsafeBeside(
  scope: Scope,
  { id: caseId, parties: all }: Case,
  { parties, at, meetingId, unmet = [] }: Met,
): Promise<Gap[]> {
  if (parties.length < 2) return [];
  const others = all.filter((party) => countsHere(party) && !parties.includes(party));
  const texts = await unsafeAt(scope, { caseId, parties: others, at });
  if (texts.length === 0) return [];
  const explained = await explainedBefore(scope, caseId, { parties, at, meetingId });
  const own = textsOf(unmet);
  return texts.filter((text) => own.has(text) || !explained.has(text)).map((text) => ({ text, isSafety: true }));
}

/**
 * For what a reason was given at an earlier session or meeting to which all of these came, and nobody was found not safe
 * since: why two meet says nothing of others.
 */
async function explainedBefore(
  scope: Scope,
  caseId: string,
  { parties, at, meetingId }: Pick<Met, "parties" | "at" | "meetingId">,
): Promise<Set<string>> {
  const { ownerId } = scope;
  const begun = { startedAt: mongoose.trusted({ $lt: at }), status: mongoose.trusted({ $in: BEGUN }) };
  const earlier = await SessionModel.find(
    { ownerId, caseId, ...begun },
    { unmet: 1, partyIds: 1, attendance: 1 },
  ).lean();
  const came = ({ partyIds, attendance }: (typeof earlier)[number]) =>
    partyIds.filter((id) => !attendance.some((mark) => mark.partyId === id && !wasThere(mark)));
  const isOfThese = (ids: readonly string[]) => parties.every(({ partyId }) => ids.includes(partyId));
  const meetings = (await heldReasonsIn(scope, caseId))
    .filter((held) => held.startsAt < at && held.meetingId !== meetingId && isOfThese(held.partyIds))
    .map(({ missing, at: saidAt }) => ({ what: missing, at: saidAt }));
  const said = earlier.filter((session) => isOfThese(came(session))).flatMap(({ unmet = [] }) => unmet);
  const given = [...said, ...meetings];
  if (given.length === 0) return new Set();
  const found = await lastFoundUnsafe(scope, caseId);
  return textsOf(given.filter((reason) => found === null || reason.at >= found));
}

const textsOf = (unmet: readonly Pick<UnmetDoc, "what">[]): Set<string> =>
  new Set(unmet.flatMap(({ what }) => what.map(({ text }) => text)));
