// What an end says of people and of the practice's own decisions is recorded before it.
import { newId } from "@app/server/core/ids";
import type { Outcome } from "@app/shared/case-outcomes";
import { caseStatusName, type Ending } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, type TestPractice } from "../support/server/people.ts";
import { AGREED, ending as endingOf } from "../support/server/ending.ts";
import { dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { standing } = stepping(practice);
const { hold, conclude } = endingOf(practice);

const responded = () => standing("assessing", ["responded", "responded"]);
const end = async ({ id }: Case, ending: Ending, { api }: Pick<TestPractice, "api"> = practice) =>
  api.casework.move.mutate({
    ...at(await practice.api.cases.get.query({ id })),
    to: "not_proceeding",
    reason: "As it is",
    ending,
  });

test("a case that ends as not safe: when a screening found it of somebody who had only answered, then it ends so", async () => {
  const theCase = await responded();
  expect((await refusal(end(theCase, "not_safe"))).fields).toEqual({
    ending: expect.stringContaining("recorded as “Not suitable”"),
  });
  const [first] = theCase.parties;
  await practice.api.screenings.complete.mutate(aScreening(theCase, first?.partyId ?? "", NOT_SAFE));
  await dismissEntries(practice.api, theCase.id);
  expect(await end(theCase, "not_safe")).toMatchObject({ ending: "not_safe" });
});

test("a case that ends as not safe: when who ends it may not read screenings, then no answer tells what was found", async () => {
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  const [safe, unsafe] = [await responded(), await responded()];
  const [first] = unsafe.parties;
  await practice.api.screenings.complete.mutate(aScreening(unsafe, first?.partyId ?? "", NOT_SAFE));
  for (const theCase of [safe, unsafe])
    expect(await end(theCase, "not_safe", blind)).toMatchObject({ status: "not_proceeding", ending: "not_safe" });
});

test("a case that ends by a conflict of interest: when the check was decided otherwise, then it does not end so", async () => {
  const theCase = await responded();
  expect((await refusal(end(theCase, "conflict_of_interest"))).fields).toEqual({
    ending: expect.stringContaining("not decided as “Conflicted”"),
  });
  const found = { id: newId(), caseId: theCase.id, decision: "conflicted" as const, reason: "We advise P2" };
  await practice.api.conflicts.decide.mutate(found);
  expect(await end(theCase, "conflict_of_interest")).toMatchObject({ ending: "conflict_of_interest" });
});

test("a case that does not proceed: when it is said to have broken down, then it is refused, because nothing began", async () => {
  expect((await refusal(end(await responded(), "broken_down"))).fields).toEqual({
    ending: expect.stringContaining("Mediation never began"),
  });
});

/** Of two issues the first was agreed and, unless it is said otherwise, the second was not. */
const unwritten = (
  second: "agreed" | "not_agreed" = "not_agreed",
  first: "agreed" | "not_agreed" = "agreed",
): Outcome => ({
  ...AGREED,
  code: "agreed_not_written",
  issues: [
    { label: "Holidays", kind: "children", result: first },
    { label: "The house", kind: "property_finance", result: second },
  ],
});
const breakDown = (theCase: Case, outcome: Outcome) =>
  practice.api.casework.move.mutate({
    ...at(theCase),
    to: "terminated",
    reason: "They could not go on",
    ending: "broken_down",
    outcome,
  });

test("an agreement that was not written up: when one issue stayed open, then the case ends so, whether it was concluded or broke down", async () => {
  for (const end of [breakDown, conclude]) {
    const theCase = await standing("in_mediation", ["active", "active"]);
    await hold(theCase, "agreed_some");
    expect((await refusal(end(theCase, unwritten("not_agreed", "not_agreed")))).fields).toHaveProperty("issues");
    const ended = await end(theCase, unwritten());
    expect(ended.outcome).toMatchObject({ code: "agreed_not_written", issues: unwritten().issues });
    if (end === breakDown) expect(caseStatusName(ended)).toBe("Ended with proposals on some issues");
  }
});

test("a breakdown: when every issue was agreed, then it is refused, and concluded instead", async () => {
  const theCase = await standing("in_mediation", ["active", "active"]);
  await hold(theCase, "agreed_all");
  expect((await refusal(breakDown(theCase, unwritten("agreed")))).fields).toEqual({
    issues: expect.stringContaining("All issues here were agreed"),
  });
});

test("a case at work: when an issue is said to be about children, or a parenting plan went to somebody, then it does not end so", async () => {
  const theCase = await standing("in_mediation", ["active", "active"], { domain: "workplace" });
  await hold(theCase, "agreed_all");
  const partyIds = theCase.parties.map(({ partyId }) => partyId);
  const said = (kind: "children" | "", document: "parenting_plan" | "memorandum"): Outcome => ({
    ...AGREED,
    isWrittenUp: true,
    issues: [{ label: "The rota", kind, result: "agreed" }],
    documents: [{ kind: document, partyIds, fileId: "", isMadeOutside: true }],
  });
  expect((await refusal(conclude(theCase, said("children", "memorandum")))).fields).toEqual({
    issues: expect.stringContaining("no issues about children"),
  });
  expect((await refusal(conclude(theCase, said("", "parenting_plan")))).fields).toEqual({
    documents: expect.stringContaining("no parenting plan"),
  });
  expect(await conclude(theCase, said("", "memorandum"))).toMatchObject({ status: "concluded" });
});

test("a case that ends because somebody does not want it: when others told that of them, then it does not end so until they say it", async () => {
  const theCase = await responded();
  const says = async (isOwnDecision: boolean) =>
    practice.api.casework.moveParty.mutate({
      ...at(await practice.api.cases.get.query({ id: theCase.id })),
      partyId: theCase.parties[1]?.partyId ?? "",
      to: "refused",
      on: TODAY,
      reason: "His brother rang",
      isOwnDecision,
    });
  await says(false);
  expect((await refusal(end(theCase, "refused"))).fields).toEqual({
    ending: expect.stringContaining("P2 did not say so themselves"),
  });
  await says(true);
  expect(await end(theCase, "refused")).toMatchObject({ ending: "refused" });
});

test("a case that ends without an answer: when nobody asked the other one, then it does not end so; whoever came first may go quiet", async () => {
  const uninvited = await standing("intake", ["intake_done", "to_invite"]);
  const [first] = uninvited.parties;
  const theCase = await practice.api.casework.moveParty.mutate({
    ...at(uninvited),
    partyId: first?.partyId ?? "",
    to: "withdrawn",
    on: "2026-01-06",
    reason: "No more",
    isOwnDecision: true,
  });
  expect((await refusal(end(theCase, "no_answer"))).fields).toEqual({
    ending: expect.stringContaining("No invitation has reached P2: none was made"),
  });
  expect(await end(await standing("intake", ["to_invite", "to_invite"]), "no_answer")).toMatchObject({
    ending: "no_answer",
  });
});
