// Who takes back what was agreed for somebody's safety: whoever mediates, as with a finding that they are not safe.
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const APART = { suitable: "yes_with_measures" as const, measures: ["shuttle" as const, "separate_arrivals" as const] };
const TOLD = { code: "FORBIDDEN", message: expect.stringContaining("takes back what was agreed") };

test("screenings: a measure that was agreed, when somebody who does not mediate leaves it out or strikes it, then it stays", async () => {
  const helper = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "screening.read"] });
  const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
  const screen = (by: typeof helper.api, said: object) =>
    by.screenings.complete.mutate(aScreening(theCase, p1.partyId, said));
  const agreed = await screen(practice.api, APART);
  const measures = async () => (await practice.api.screenings.measures.query({ caseId: theCase.id })).items;
  for (const said of [{}, { ...APART, measures: ["shuttle" as const] }])
    expect(await refusal(screen(helper.api, said))).toMatchObject(TOLD);
  const strike = { id: agreed.id, reason: "Another person" };
  expect(await refusal(helper.api.screenings.strike.mutate(strike))).toMatchObject(TOLD);
  expect(await measures()).toMatchObject([{ measures: APART.measures }]);
  await screen(helper.api, { ...APART, measures: [...APART.measures, "separate_rooms"] });
  expect((await measures())[0]?.measures).toHaveLength(3);
  await screen(practice.api, {});
  expect(await measures()).toEqual([]);
});
