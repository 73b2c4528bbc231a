// One of three is not safe to mediate, and the others would go on without them.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, screened } from "../support/server/screened.ts";
import { screenedCaseOf } from "../support/server/screened-case.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const blind = forAllTests(() =>
  aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "calendar.manage"] }),
);
const { decide } = stepping(practice);

/** Two of whom stand on one side mediate with a third, until the first of the two is found not safe. */
async function aCaseOfThree({ sides }: { sides: string[] }) {
  const { theCase, start, input } = await screenedCaseOf(practice, [{}, {}]);
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const joined = await practice.api.casework.addParty.mutate({
    ...at(await practice.api.cases.get.query({ id: theCase.id })),
    changeId: newId(),
    party: { clientId, role: "participant", side: "" },
  });
  await decide(joined.id);
  await screened(joined, joined.parties.slice(2));
  const days = { "parties.2.consentedOn": "2026-01-05", "parties.2.agreementSignedOn": "2026-01-05" };
  const begun = { "parties.2.status": "active", "parties.2.joinedAt": null, ...days };
  const standing = Object.fromEntries(sides.map((side, index) => [`parties.${index}.side`, side]));
  await CaseModel.updateOne({ _id: joined.id, ownerId: practice.ownerId }, { $set: { ...begun, ...standing } });
  const [p1 = "", p2 = "", p3 = ""] = joined.parties.map(({ partyId }) => partyId);
  const screen = (partyId: string, more = {}) =>
    practice.api.screenings.complete.mutate(aScreening(joined, partyId, more));
  await screen(p1, NOT_SAFE);
  const begin = (unmetReason: string, api: Api = practice.api) =>
    api.sessions.start.mutate({ id: newId(), caseId: joined.id, meetingId: null, unmetReason });
  return { joined, start, begin, screen, p2, p3, input };
}

test("sessions.start: when one of three is not safe, then the others meet only with a reason of who may read screenings", async () => {
  const { begin, start } = await aCaseOfThree({ sides: ["", "", ""] });
  expect((await refusal(start(practice.api))).fields).toEqual({
    unmetReason:
      "The screening of P1 did not allow mediation. Say why the others meet without them all the same; your reason is kept with the session.",
  });
  for (const reason of ["", "They both want to"])
    expect(await refusal(begin(reason, blind.api))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: SCREENING_SAYS_NOT_YET,
    });
  expect(await begin("It is about the house of the two alone")).toMatchObject({
    status: "in_progress",
    unmet: [
      {
        what: ["The screening of P1 did not allow mediation."],
        reason: "It is about the house of the two alone",
      },
    ],
  });
});

test("sessions.start: when one of a side is not safe, then the other of that side is screened again first", async () => {
  const { begin, screen, p2, p3, input } = await aCaseOfThree({ sides: ["Grandparents", "Grandparents", ""] });
  const refused = {
    code: "PRECONDITION_FAILED",
    message: "Screen P2 again: P1, on the same side, was found not safe to mediate since the last screening.",
  };
  expect(await refusal(begin("They both want to"))).toMatchObject(refused);
  expect(await refusal(practice.api.meetings.create.mutate(input({ partyIds: [p2, p3] })))).toMatchObject(refused);
  await screen(p2);
  expect(await begin("It is about the house of the two alone")).toMatchObject({ status: "in_progress" });
});
