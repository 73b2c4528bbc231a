// Outside family people talk before anybody is screened: about dates and documents, or all of one household at home.
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { MeetingType } from "@app/shared/meeting-states";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMeetingInput, aPractice } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { standing } = stepping(practice);

const aCaseOf = (domain: "civil" | "community" | "workplace" | "family", sides: string[] = []) =>
  standing("assessing", ["intake_done", "intake_done"], { domain, sides, isScreened: false });

let day = 0;
const book = (theCase: Awaited<ReturnType<typeof aCaseOf>>, type: MeetingType) => {
  const startsAt = new Date(Date.UTC(2033, 1, (day += 1), 10));
  return practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: theCase.id,
      partyIds: theCase.parties.map(({ partyId }) => partyId),
      type,
      startsAt: startsAt.toISOString(),
      endsAt: new Date(startsAt.getTime() + 3_600_000).toISOString(),
    }),
  );
};

test.each(["civil", "community", "workplace"] as const)(
  "meetings.create: of a call or first talk of both sides in a case of the kind %s, nobody has to be screened before it",
  async (domain) => {
    const theCase = await aCaseOf(domain);
    for (const type of ["call", "other", "pre_meeting"] as const) expect((await book(theCase, type)).type).toBe(type);
    expect((await refusal(book(theCase, "mediation"))).message).toContain("Complete the screening of P1.");
  },
);

test("meetings.create: of a first visit to both of one household, nobody has to be screened before it", async () => {
  expect((await book(await aCaseOf("community", ["No 3", "No 3"]), "pre_meeting")).type).toBe("pre_meeting");
});

test("meetings.create: of a call in a family case, both are screened before it", async () => {
  expect((await refusal(book(await aCaseOf("family"), "call"))).message).toContain("Complete the screening of P1.");
});

test("meetings.create: of a call with somebody who was found not safe, it is refused in every kind of case", async () => {
  const theCase = await aCaseOf("civil");
  await practice.api.screenings.complete.mutate(aScreening(theCase, theCase.parties[1]?.partyId ?? "", NOT_SAFE));
  // As if somebody had moved them back by hand.
  const back = { "parties.1.status": "intake_done", "parties.1.leftAt": null };
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: back });
  expect(await refusal(book(theCase, "call"))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: "The latest screening of P2 does not allow mediation.",
  });
});
