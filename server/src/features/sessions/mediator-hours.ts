// One mediator holds one thing at a time: a session and a first meeting of two cases in the same hours may be one in the wrong case.
import { dayIn } from "@app/shared/days";
import { HELD_SESSION_STATUSES } from "@app/shared/session-states";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineHoursGate } from "../assessments/attendance-gates.service.ts";
import { heldElsewhereBy } from "../assessments/held-by.service.ts";
import { hoursOfFirst } from "../meetings/calendar-says.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { namesOf } from "./session-mediators.ts";
import { type Gap, type SessionDoc, SessionModel } from "./sessions.model.ts";

export type Holding = Pick<SessionDoc, "caseId" | "mediatorIds" | "endedAt" | "createdAt"> & { startedAt: Date };

/** Who of those who held this session held something of another case at that time. Whichever was recorded later says why. */
export async function heldElsewhere(scope: Scope, session: Holding): Promise<Gap[]> {
  const { caseId, mediatorIds, startedAt, createdAt } = session;
  const hours = { startsAt: startedAt, endsAt: session.endedAt ?? now() };
  const held = { caseId, mediatorIds, ...hours };
  const sessions = (await sessionsMeanwhile(scope, held)).filter(
    (other) => other.createdAt < createdAt || other.status === "locked",
  );
  const found = [
    { what: "a session", ids: sessions.flatMap((other) => other.mediatorIds) },
    { what: "a first meeting", ids: await holdersMeanwhile(scope, held) },
  ];
  const gaps: Gap[] = [];
  for (const { what, ids } of found) {
    const words = await toldOf(scope, { mediatorIds, ids, what });
    gaps.push(...words.map((text) => ({ text: `No hours of its own: ${text}`, isSafety: false })));
  }
  return gaps;
}

// The same of a first meeting, of which the calendar knows the hours: beside sessions that are locked, and what is recorded whole.
defineHoursGate(async (scope, { mediatorId, caseId, ...of }) => {
  const mediatorIds = [mediatorId];
  const told = new Set<string>();
  for (const hours of await hoursOfFirst(scope, { caseId, ...of })) {
    const held = { caseId, mediatorIds, ...hours };
    const sessions = (await sessionsMeanwhile(scope, held)).filter(({ status }) => status === "locked");
    const ids = sessions.flatMap((other) => other.mediatorIds);
    const words = [
      ...(await toldOf(scope, { mediatorIds, ids, what: "a session" })),
      ...(await toldOf(scope, { mediatorIds, ids: await holdersMeanwhile(scope, held), what: "a first meeting" })),
    ];
    for (const one of words) told.add(one);
  }
  return [...told];
});

interface Meanwhile {
  caseId: string;
  mediatorIds: readonly string[];
  startsAt: Date;
  endsAt: Date;
}

const sessionsMeanwhile = ({ ownerId }: Scope, { caseId, mediatorIds, startsAt, endsAt }: Meanwhile) =>
  SessionModel.find(
    {
      ownerId,
      caseId: mongoose.trusted({ $ne: caseId }),
      mediatorIds: mongoose.trusted({ $in: [...mediatorIds] }),
      status: mongoose.trusted({ $in: HELD_SESSION_STATUSES }),
      startedAt: mongoose.trusted({ $ne: null, $lt: endsAt }),
      endedAt: mongoose.trusted({ $gt: startsAt }),
    },
    { mediatorIds: 1, status: 1, createdAt: 1 },
  ).lean();

/** Who of these held a first meeting of another case in these hours. */
async function holdersMeanwhile(scope: Scope, { startsAt, endsAt, ...held }: Meanwhile): Promise<string[]> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const days = [...new Set([startsAt, endsAt].map((at) => dayIn(timeZone, at)))];
  const ids: string[] = [];
  for (const record of await heldElsewhereBy(scope.ownerId, { ...held, days })) {
    const { caseId, partyId, meetingId, attendedOn: on } = record;
    const hours = await hoursOfFirst(scope, { caseId, partyId, meetingId, on });
    if (hours.some((each) => each.startsAt < endsAt && each.endsAt > startsAt)) ids.push(record.mediatorId);
  }
  return ids;
}

async function toldOf(
  scope: Scope,
  { mediatorIds, ids, what }: { mediatorIds: readonly string[]; ids: readonly string[]; what: string },
): Promise<string[]> {
  const names = await namesOf(
    scope,
    mediatorIds.filter((id) => ids.includes(id)),
  );
  return names.length === 0 ? [] : [`${names.join(" and ")} held ${what} of another case at that time.`];
}
