import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import { isLeftAlone, type WaitingParty, whoIsWaitedFor } from "@app/shared/case-waiting";
import { describe, expect, test } from "vitest";

const partiesAt = (statuses: PartyStatus[], sides: string[] = []): WaitingParty[] =>
  statuses.map((status, index) => ({
    partyId: `P${index + 1}`,
    role: index === 0 || (sides[index] && sides[index] === sides[0]) ? "initiator" : "respondent",
    side: sides[index] ?? "",
    status,
  }));

describe("whom a case waits for", () => {
  test.each<[CaseStatus, PartyStatus[], string]>([
    ["awaiting_second_party", ["suitable", "withdrawn"], "practice"],
    ["awaiting_second_party", ["withdrawn", "invited"], "practice"],
    ["assessing", ["suitable", "withdrawn"], "practice"],
    ["assessing", ["suitable", "not_suitable"], "practice"],
    ["intake", ["withdrawn", "to_invite"], "practice"],
    ["paused", ["active", "withdrawn"], "practice"],
    ["paused", ["active", "active"], "nobody"],
    // Whoever came first goes to their own meeting, though the other one said no already.
    ["intake", ["responded", "refused"], "P1"],
    ["assessing", ["suitable", "responded"], "P1"],
    ["terminated", ["active", "withdrawn"], "nobody"],
    // Nobody signs before the others were asked: that is our turn.
    ["intake", ["suitable", "to_invite"], "practice"],
    ["assessing", ["suitable", "suitable"], "P1"],
    // What is left then, such as their consents and the next step, is ours.
    ["assessing", ["agreement_signed", "agreement_signed"], "practice"],
    ["assessing", ["agreement_signed", "miam_booked"], "nobody"],
  ])("%s: when its parties are %j, then it is %s", (status, statuses, waited) => {
    expect(whoIsWaitedFor(status, partiesAt(statuses))).toBe(waited);
  });

  test("grandparents: when one of them withdraws, then the case goes on with the others", () => {
    const sides = ["Grandparents", "Grandparents", ""];
    expect(whoIsWaitedFor("assessing", partiesAt(["suitable", "withdrawn", "responded"], sides))).toBe("P1");
    expect(isLeftAlone(partiesAt(["suitable", "suitable", "withdrawn"], sides))).toBe(true);
    // The other side is not known yet.
    expect(isLeftAlone(partiesAt(["suitable", "suitable"], sides))).toBe(false);
  });
});
