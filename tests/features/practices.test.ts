import { expect, test } from "vitest";
import { aPractice, aStaffUser } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

const change = {
  practiceName: "Harbour Mediation",
  region: "ireland" as const,
  mediatorType: "workplace" as const,
  timeZone: "Europe/Dublin",
  caseNumberPrefix: "hm",
  isTwoFactorRequired: false,
  certificatesCountFrom: "issue" as const,
  version: 0,
};

test("practices.update: changes this practice and its people, and no other", async () => {
  const practice = await aPractice(app);
  const staff = await aStaffUser(app, practice);
  const other = await aPractice(app);
  const before = await other.api.practices.get.query();
  expect(await practice.api.practices.update.mutate(change)).toEqual({
    ...change,
    caseNumberPrefix: "HM",
    currency: "EUR",
    holidays: [],
    version: 1,
  });
  expect(await staff.api.practices.get.query()).toEqual(await practice.api.practices.get.query());
  expect((await staff.api.auth.status.query()).user).toMatchObject({
    region: "ireland",
    mediatorType: "workplace",
    practiceName: "Harbour Mediation",
    timeZone: "Europe/Dublin",
  });
  expect(await other.api.practices.get.query()).toEqual(before);
  expect((await other.api.auth.status.query()).user?.region).toBe("england_wales");
});

test("practices.update: holidays, when they are left out, stay as they are", async () => {
  const { api } = await aPractice(app);
  await api.practices.update.mutate({ ...change, holidays: ["2030-12-25"] });
  expect(await api.practices.update.mutate({ ...change, version: 1 })).toMatchObject({ holidays: ["2030-12-25"] });
});

test("practices.update: a second saver is told, and nothing of theirs is stored", async () => {
  const { api } = await aPractice(app);
  await api.practices.update.mutate(change);
  expect(
    (await refusal(api.practices.update.mutate({ ...change, practiceName: "Late", region: "scotland" }))).code,
  ).toBe("CONFLICT");
  expect(await api.practices.get.query()).toMatchObject({ practiceName: "Harbour Mediation", region: "ireland" });
});

test.each([
  ["practiceName", ""],
  ["practiceName", "two\nlines"],
  ["timeZone", "Mars/Olympus"],
  ["region", "atlantis"],
  ["caseNumberPrefix", "TOO-LONG"],
])("practices.update: %s %j is refused beside its field", async (field, value) => {
  const { api } = await aPractice(app);
  expect(Object.keys((await refusal(api.practices.update.mutate({ ...change, [field]: value }))).fields)).toEqual([
    field,
  ]);
});
