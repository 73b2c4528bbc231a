// What was agreed for somebody's safety and a session goes without, where nobody said why when its meeting was booked.
import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { hasWord } from "@app/shared/has-word";
import { unkeptMeasures } from "@app/shared/meeting-safety";
import { hadCome } from "@app/shared/newcomers";
import { MEASURE_NAMES } from "@app/shared/screenings";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { uncheckedJoiners } from "../conflicts/conflict-gates.service.ts";
import { unexplainedMeasures } from "../meetings/meeting-measures.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { measuresAt } from "../screenings/past-screenings.service.ts";
import { measuresOfFlags } from "../screenings/screenings.service.ts";
import { acknowledge, OF_MEASURE } from "./unmet.ts";
import type { Gap, SessionDoc } from "./sessions.model.ts";
import { unsafeBeside } from "./unsafe-beside.ts";

const PLACES = {
  in_person: "in_person",
  hybrid: "in_person",
  shuttle: "in_person",
  online: "video",
  phone: "phone",
} as const satisfies Record<SessionDoc["format"], string>;

interface Met {
  parties: Case["parties"];
  at: Date;
  /** It begins: what the case says now counts too, of which nobody knows what it said before. */
  isNow?: boolean;
}

type Session = Pick<SessionDoc, "caseId" | "meetingId" | "format" | "unmet">;

async function unkeptIn(scope: Scope, session: Session, { parties, at, isNow = false }: Met): Promise<string[]> {
  const { caseId, meetingId, format } = session;
  if (parties.length < 2) return [];
  const partyIds = parties.map(({ partyId }) => partyId);
  const ofCase = isNow ? await measuresOfFlags(scope, { caseId, partyIds }) : [];
  const measures = [...new Set([...ofCase, ...(await measuresAt(scope, { caseId, parties, at }))])];
  const unkept =
    meetingId === null
      ? unkeptMeasures(measures, {
          type: format === "shuttle" ? "shuttle" : "mediation",
          location: { kind: PLACES[format] },
          partyIds,
          arrivals: [],
          arrangements: [],
        })
      : await unexplainedMeasures(scope, meetingId, { measures, partyIds });
  return unkept.map((measure) => MEASURE_NAMES[measure].toLowerCase());
}

const gapOf = (name: string): Gap => ({ text: `${OF_MEASURE} ${name}.`, isSafety: true });

/** One for each measure that nothing of the session keeps to, and for each who is not safe while the others meet. */
export const measureGaps = async (scope: Scope, session: Session, theCase: Case, met: Met): Promise<Gap[]> => [
  ...(await unkeptIn(scope, session, met)).map(gapOf),
  ...(await unsafeBeside(scope, theCase, { ...met, meetingId: session.meetingId, unmet: session.unmet })),
];

/** One for each who had joined by then and was not checked for conflicts, of those for whom this session is not. */
export async function joinerGaps(
  scope: Scope,
  theCase: Case,
  { partyIds, at }: { partyIds: string[]; at: Date },
): Promise<Gap[]> {
  const day = dayIn(await practiceTimeZone(scope.ownerId), at);
  const unchecked = (await uncheckedJoiners(scope, theCase)).filter(
    (party) => !partyIds.includes(party.partyId) && hadCome(party, { at, day }),
  );
  return unchecked.map(({ label }) => ({
    text: `The conflict check of ${label}, who joined, was not decided.`,
    isSafety: false,
  }));
}

type Beginning = Session & Pick<SessionDoc, "partyIds">;

/** In the transaction in which a session begins: it asks what booking a meeting asks, and keeps the answer. */
export async function explainMeasures(
  scope: Scope,
  draft: Beginning,
  { theCase, reason }: { theCase: Case; reason: string },
): Promise<void> {
  const parties = theCase.parties.filter(({ partyId }) => draft.partyIds.includes(partyId));
  const unkept = await unkeptIn(scope, draft, { parties, at: now(), isNow: true });
  const unsafe = await unsafeBeside(scope, theCase, { parties, at: now(), meetingId: draft.meetingId });
  const unchecked = await joinerGaps(scope, theCase, { partyIds: draft.partyIds, at: now() });
  const gaps = [...unkept.map(gapOf), ...unsafe, ...unchecked];
  if (gaps.length === 0) return;
  const mayRead = can(scope, "screening.read") || !gaps.some(({ isSafety }) => isSafety);
  if (!hasWord(reason) && mayRead) throw badField("unmetReason", whatIsAsked({ unkept, unsafe, unchecked }));
  acknowledge(scope, draft, gaps, reason);
}

const textOf = (gaps: readonly Gap[]): string => gaps.map(({ text }) => text).join(" ");

interface Asked {
  unkept: readonly string[];
  unsafe: readonly Gap[];
  unchecked: readonly Gap[];
}

const whatIsAsked = ({ unkept, unsafe, unchecked }: Asked): string =>
  [
    unsafe.length > 0
      ? `${textOf(unsafe)} Say why the others meet without them all the same; your reason is kept with the session.`
      : "",
    unkept.length > 0
      ? `Say why this session goes without: ${unkept.join(", ")}. It was agreed for their safety; your reason is kept with the session.`
      : "",
    unchecked.length > 0
      ? `${textOf(unchecked)} Decide it first, or say why this session goes on without; your reason is kept with the session.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
