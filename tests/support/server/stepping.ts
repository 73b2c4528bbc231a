// Takes single steps of cases and of their parties, by the calls that the page makes, and says why.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { outcomesOf } from "@app/shared/case-outcomes";
import { type CaseStatus, ENDED_EARLY, type PartyStatus } from "@app/shared/case-states";
import type { CaseDomain } from "@app/shared/case-transitions";
import type { Case } from "@app/shared/cases";
import { aCase, type TestPractice } from "./people.ts";

export const DAY = "2026-01-05";
export const OUTCOME = {
  code: "not_agreed",
  laaCode: "",
  laaReason: "",
  issues: [],
  isWrittenUp: false,
  narrative: "",
} as const;
export const at = ({ id, version }: Case) => ({ id, version });

interface Standing {
  sides?: string[];
  isScreened?: boolean;
  domain?: CaseDomain;
}

/** The steps that this practice may take. */
export function stepping(practice: Pick<TestPractice, "api" | "ownerId">) {
  const decide = (caseId: string) =>
    practice.api.conflicts.decide.mutate({ id: newId(), caseId, decision: "clear", reason: "" });
  const move = (theCase: Case, to: CaseStatus) =>
    practice.api.casework.move.mutate({
      ...at(theCase),
      to,
      reason: "As it is",
      ending: ENDED_EARLY.includes(to) ? "other" : null,
      outcome: outcomesOf(to).length > 0 ? { ...OUTCOME, issues: [] } : null,
    });
  const invite = (theCase: Case, index: number, on = DAY) =>
    practice.api.casework.inviteParty.mutate({
      ...at(theCase),
      changeId: newId(),
      partyId: theCase.parties[index]?.partyId ?? "",
      channel: "post",
      on,
      wording: "A letter",
    });
  const moveParty = (theCase: Case, index: number, to: PartyStatus) =>
    practice.api.casework.moveParty.mutate({
      ...at(theCase),
      partyId: theCase.parties[index]?.partyId ?? "",
      to,
      on: DAY,
      reason: "As it is",
      confidences: to === "agreement_signed" ? "kept" : null,
      isOwnDecision: to === "refused" ? true : null,
    });
  const correct = (theCase: Case, partyId = "") =>
    practice.api.casework.correct.mutate({ ...at(theCase), partyId, reason: "The wrong one" });

  /** As if it had come there: all that its gates ask for is stored. */
  const standing = async (
    status: CaseStatus,
    statuses: PartyStatus[],
    { sides = [], isScreened = true, domain = "family" }: Standing = {},
  ): Promise<Case> => {
    const { theCase } = await aCase(practice, { domain }, { isScreened });
    await decide(theCase.id);
    const parties = theCase.parties.map((_party, index) => ({
      [`parties.${index}.status`]: statuses[index] ?? "active",
      [`parties.${index}.consentedOn`]: DAY,
      [`parties.${index}.side`]: sides[index] ?? "",
    }));
    await CaseModel.updateOne(
      { _id: theCase.id, ownerId: practice.ownerId },
      { $set: Object.assign({ status }, ...parties) },
    );
    return practice.api.cases.get.query({ id: theCase.id });
  };

  return { decide, move, invite, moveParty, correct, standing };
}
