// Leads a case of the invented practice on, each step taken as somebody at work would take it.
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import type { Funding } from "@app/shared/cases";
import type { Scope } from "@app/server/core/trpc";
import { correctStep } from "@app/server/features/casework/case-corrections";
import { recordContactAgreement } from "@app/server/features/casework/contact-agreements";
import { inviteParty, moveCase, moveParty } from "@app/server/features/casework/case-progress";
import { addParty } from "@app/server/features/casework/joining";
import { setFunding, updateParty } from "@app/server/features/casework/case-editing.service";
import { getCase } from "@app/server/features/cases/cases.service";
import { decideConflict } from "@app/server/features/conflicts/conflicts.service";
import { unwrittenIn } from "@app/server/features/sessions/write-ups.service";
import { countOpenEntries } from "@app/server/features/safeguarding/opened-entries.service";
import { demoMiam, demoScreening } from "./demo-cases.ts";
import { AGAINST_BECAUSE } from "./demo-people.ts";
import { holdSession, recordHeld } from "./demo-records.ts";

export type Led = ReturnType<typeof leading>;
export type Move = Parameters<typeof moveCase>[1];
type Ending = Partial<Pick<Move, "reason" | "ending" | "outcome" | "endedOn">>;

export const today = () => new Date().toISOString().slice(0, 10);

/** Leads a case on, step by step or by several that follow each other. */
export function leading(scope: Scope, caseId: string) {
  const { partyAt } = placeOf(scope, caseId);
  const steps = stepsOf(scope, caseId);
  return {
    ...steps,
    async invite(index: number, on = today()): Promise<void> {
      const first = await partyAt(0);
      const said = { isAgreed: true, isNamed: true, on };
      if (!first.theCase.parties[0]?.contactAgreement)
        await recordContactAgreement(scope, { ...first.at, partyId: first.partyId, ...said });
      const { at, partyId } = await partyAt(index);
      const wording = "Sent from the old program: whether they would like a first meeting, alone";
      const how = { wording, call: "" as const, insteadBecause: "", againstBecause: AGAINST_BECAUSE };
      await inviteParty(scope, { ...at, ...how, partyId, channel: "email", on });
    },
    /** Responds, does the intake and comes to the assessment meeting; gives its record in family cases. */
    async attend(index: number): Promise<string> {
      for (const step of ["responded", "intake_done"] as const) await steps.party(index, step);
      const { theCase, partyId } = await partyAt(index);
      if (theCase.domain === "family") return demoMiam(scope, theCase, partyId, { index, attendedOn: today() });
      await steps.party(index, "miam_booked");
      await steps.party(index, "miam_attended");
      return "";
    },
    async sign(index: number): Promise<void> {
      const { at, party, partyId } = await partyAt(index);
      const { side, role, representativeContactIds } = party;
      await updateParty(scope, { ...at, partyId, side, role, representativeContactIds, consentedOn: today() });
      await steps.party(index, "agreement_signed");
    },
    /** From the first call to mediation with all who are in it. */
    async mediate(parties: number): Promise<void> {
      await steps.clear();
      await steps.move("intake");
      for (let index = 0; index < parties; index += 1) {
        await steps.screen(index);
        await this.attend(index);
        if (index === 0) await steps.move("awaiting_second_party");
      }
      await steps.move("assessing");
      for (let index = 0; index < parties; index += 1) await this.sign(index);
      await steps.move("ready");
      await steps.move("in_mediation");
    },
  };
}

/** The case as it stands now, and one of its parties. */
function placeOf(scope: Scope, caseId: string) {
  const now = async () => {
    const theCase = await getCase(scope, caseId);
    return { theCase, at: { id: caseId, version: theCase.version } };
  };
  const partyAt = async (index: number) => {
    const { theCase, at } = await now();
    const party = theCase.parties[index];
    if (!party) throw new Error(`there is no party ${index}`);
    return { theCase, at, party, partyId: party.partyId };
  };
  return { now, partyAt };
}

/** Each takes one step of a case. */
function stepsOf(scope: Scope, caseId: string) {
  const { now, partyAt } = placeOf(scope, caseId);
  return {
    async party(index: number, to: PartyStatus, reason = ""): Promise<void> {
      const { theCase, at, partyId } = await partyAt(index);
      const usual = theCase.domain === "family" ? ("none" as const) : ("kept" as const);
      const confidences = to === "agreement_signed" ? usual : null;
      // Nobody but they themselves decides it in the demonstration.
      const isOwnDecision = to === "withdrawn" || to === "refused" ? true : null;
      const hasAgreed = to === "miam_booked" ? true : null;
      await moveParty(scope, { ...at, partyId, to, on: today(), reason, confidences, isOwnDecision, hasAgreed });
    },
    async move(
      to: CaseStatus,
      { reason = "", ending = null, outcome = null, endedOn = "" }: Ending = {},
    ): Promise<void> {
      const { at } = await now();
      const openEntries = (await countOpenEntries(scope, caseId)) ?? 0;
      const unwritten = (await unwrittenIn(scope, caseId)).length;
      await moveCase(scope, { ...at, to, reason, ending, outcome, endedOn, openEntries, unwritten });
    },
    async clear(): Promise<void> {
      await decideConflict(scope, { caseId, decision: "clear", reason: "" });
    },
    async screen(index: number): Promise<void> {
      const { theCase, partyId } = await partyAt(index);
      await demoScreening(scope, theCase, partyId, { hasMeasures: false });
    },
    /** A session with all who are in it, from its start to its lock. */
    async hold(outcome: Parameters<typeof holdSession>[2]): Promise<void> {
      await holdSession(scope, (await now()).theCase, outcome);
    },
    /** The same, written up of this day. */
    async holdOn(when: { day: string; hour: number }, outcome: Parameters<typeof holdSession>[2]): Promise<void> {
      await recordHeld(scope, (await now()).theCase, { ...when, outcome });
    },
    async correct(index: number | null, reason: string): Promise<void> {
      const { at } = await now();
      const partyId = index === null ? "" : (await partyAt(index)).partyId;
      await correctStep(scope, { ...at, partyId, of: "step", reason });
    },
    async fund(type: Funding["type"]): Promise<void> {
      const { theCase, at } = await now();
      const parties = theCase.parties.map(({ partyId, funding }) => ({ partyId, funding: { ...funding, type } }));
      await setFunding(scope, { ...at, parties });
    },
    async join(clientId: string): Promise<void> {
      const { at } = await now();
      await addParty(scope, { ...at, party: { clientId, role: "participant", side: "" } });
    },
  };
}
