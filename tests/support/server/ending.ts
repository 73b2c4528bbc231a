// Leads cases to their end: sessions that are held, legal aid, and what came of it.
import { newId } from "@app/server/core/ids";
import type { Outcome } from "@app/shared/case-outcomes";
import type { Case } from "@app/shared/cases";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import type { TestPractice } from "./people.ts";
import { at, OUTCOME } from "./stepping.ts";

const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
export const AGREED: Outcome = {
  ...OUTCOME,
  code: "agreed_all",
  issues: [{ label: "The house", kind: "property_finance", result: "agreed" }],
  isWrittenUp: false,
  documents: [],
  isAdviceTold: true,
};

/** The steps that this practice may take. */
export function ending(practice: Pick<TestPractice, "api">) {
  const fresh = ({ id }: Case) => practice.api.cases.get.query({ id });
  const start = ({ id: caseId }: Case, meetingId: string | null = null) =>
    practice.api.sessions.start.mutate({ id: newId(), caseId, meetingId });

  /** A session of all who take part, from its start to its lock, to which these did not come. */
  async function hold(theCase: Case, code: SessionOutcomeCode, absent: readonly string[] = []): Promise<void> {
    const { id, partyIds } = await start(theCase);
    const { sessions } = practice.api;
    const change = () => ({ id, changeId: newId() });
    for (const partyId of partyIds) {
      await sessions.setAttendance.mutate({
        ...change(),
        partyId,
        state: absent.includes(partyId) ? "no_show" : "present",
      });
      await sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
    }
    await sessions.update.mutate({ ...change(), outcome: { code, text: "" } });
    await sessions.move.mutate({ ...change(), to: "ended" });
    await sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
  }

  const conclude = (theCase: Case, outcome: Outcome, reason = "") =>
    practice.api.casework.move.mutate({ ...at(theCase), to: "concluded", reason, outcome });

  /** Each party pays half, all in this way. */
  const fund = (theCase: Case, type: "legal_aid" | "private" = "legal_aid") =>
    practice.api.casework.setFunding.mutate({
      ...at(theCase),
      parties: theCase.parties.map(({ partyId }) => ({
        partyId,
        funding: { type, shareBp: 5000, payerContactId: "" },
      })),
    });

  return { fresh, start, hold, conclude, fund };
}
