// What was agreed for somebody's safety and a session goes without, where nobody said why when its meeting was booked.
import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { hasWord } from "@app/shared/has-word";
import { unkeptMeasures } from "@app/shared/meeting-safety";
import { MEASURE_NAMES } from "@app/shared/screenings";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { unexplainedMeasures } from "../meetings/meeting-measures.service.ts";
import { measuresAt } from "../screenings/past-screenings.service.ts";
import { measuresOfFlags } from "../screenings/screenings.service.ts";
import { acknowledge } from "./unmet.ts";
import type { Gap, SessionDoc } from "./sessions.model.ts";

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

type Session = Pick<SessionDoc, "caseId" | "meetingId" | "format">;

async function unkeptIn(scope: Scope, session: Session, { parties, at, isNow = false }: Met): Promise<string[]> {
  const { caseId, meetingId, format } = session;
  if (parties.length < 2) return [];
  const partyIds = parties.map(({ partyId }) => partyId);
  const ofCase = isNow ? await measuresOfFlags(scope, caseId) : [];
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

const gapOf = (name: string): Gap => ({ text: `What was agreed for their safety: ${name}.`, isSafety: true });

/** One for each measure that nothing of the session keeps to. */
export const measureGaps = async (scope: Scope, session: Session, met: Met): Promise<Gap[]> =>
  (await unkeptIn(scope, session, met)).map(gapOf);

type Beginning = Session & Pick<SessionDoc, "partyIds" | "unmet">;

/** In the transaction in which a session begins: it asks what booking a meeting asks, and keeps the answer. */
export async function explainMeasures(
  scope: Scope,
  draft: Beginning,
  { theCase, reason }: { theCase: Case; reason: string },
): Promise<void> {
  const parties = theCase.parties.filter(({ partyId }) => draft.partyIds.includes(partyId));
  const unkept = await unkeptIn(scope, draft, { parties, at: now(), isNow: true });
  if (unkept.length === 0) return;
  if (can(scope, "screening.read") && !hasWord(reason))
    throw badField(
      "unmetReason",
      `Say why this session goes without: ${unkept.join(", ")}. It was agreed for their safety; your reason is kept with the session.`,
    );
  acknowledge(scope, draft, unkept.map(gapOf), reason);
}
