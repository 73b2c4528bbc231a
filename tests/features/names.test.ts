// A name is what clients, courts and colleagues know somebody by: nobody takes another's.
import { newId } from "@app/server/core/ids";
import { nameKey } from "@app/server/core/same-name";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import {
  aVisitor,
  aCase,
  aPractice,
  aStaffUser,
  PASSWORD,
  type TestPerson,
  type TestPractice,
} from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const rename = async ({ api }: Pick<TestPerson, "api">, firstName: string, lastName: string, number = "") => {
  const { version } = await api.users.profile.query();
  const accreditation = { isAccredited: number !== "", accreditationNumber: number };
  return api.users.updateProfile.mutate({ firstName, lastName, ...accreditation, version });
};
const namesIn = async ({ api }: TestPractice) => (await api.users.colleagues.query()).items.map(({ name }) => name);

test.each([
  ["as it is", "Ines", "Marchbank"],
  ["in capitals", "INES", "MARCHBANK"],
  ["with marks", "Inès", "Märchbänk"],
  ["with spaces and dashes elsewhere", "Ines March", "bank"],
  ["in wide letters", "Ｉｎｅｓ", "Marchbank"],
  ["with Cyrillic letters", "Inеs", "Mаrchbаnk"],
  ["with Greek letters", "Ineѕ", "Mαrchbαnk"],
  ["with a small L for the capital I", "lnes", "Marchbank"],
  ["with a one for the I", "1nes", "Marchbank"],
  ["with r and n for m", "Ines", "rnarchbank"],
])(
  "users.updateProfile: the owner’s name %s, when a mediator takes it, is refused and nothing is changed",
  async (_how, firstName, lastName) => {
    const mediator = await aStaffUser(app, practice, { role: 2 });
    const { fields } = await refusal(rename(mediator, firstName, lastName));
    expect(fields["lastName"]).toContain("Add a middle name or an initial");
    expect(await namesIn(practice)).toEqual(["Ines Marchbank", "Tom Birch"]);
    expect((await practice.api.staff.list.query()).items.flatMap(({ profileChanges }) => profileChanges)).toEqual([]);
  },
);

test("nameKey: other people's names, when they are compared, are told apart", () => {
  const names = [
    ["Ines", "Marchbank"],
    ["Ines", "Marchant"],
    ["Ivo", "Marchbank"],
    ["Ines Anne", "Marchbank"],
    ["王", "伟"],
    ["王", "芳"],
  ];
  expect(new Set(names.map(([first = "", last = ""]) => nameKey(first, last))).size).toBe(names.length);
});

test("users.updateProfile: a name of one’s own, when it is changed, stands for the owner to see, who is told by mail", async () => {
  const mediator = await aStaffUser(app, practice, { role: 2 });
  await rename(mediator, "Tom", "Birchwood", "1482A");
  const staff = (await practice.api.staff.list.query()).items.find(({ email }) => email === mediator.email);
  expect(staff?.profileChanges).toEqual([
    {
      at: expect.any(String),
      what: "accreditation",
      from: "not accredited, no number",
      to: "accredited, number 1482A",
    },
    { at: expect.any(String), what: "name", from: "Tom Birch", to: "Tom Birchwood" },
  ]);
  const told = (await practice.api.mail.listUnsent.query({})).items.filter(({ to }) => to === practice.email);
  expect(told).toMatchObject([{ subject: "A colleague changed their profile" }]);
  for (const words of [
    "Name: Tom Birch\nNow: Tom Birchwood",
    "Now: accredited, number 1482A",
    "/settings/user-permissions",
  ])
    expect(told[0]?.text).toContain(words);
  // Saved again as it stands, nothing changed and nobody is told.
  await rename(mediator, "Tom", "Birchwood", "1482A");
  expect((await practice.api.mail.listUnsent.query({})).items.filter(({ to }) => to === practice.email)).toHaveLength(
    1,
  );
});

test("users.updateProfile: the owner, when they change their own name, is told at their address and may not take a colleague’s", async () => {
  await aStaffUser(app, practice);
  expect((await refusal(rename(practice, "Tom", "Birch"))).fields["lastName"]).toContain("Add a middle name");
  await rename(practice, "Ines", "Marchbank-Moss");
  const told = (await practice.api.mail.listUnsent.query({})).items.filter(({ to }) => to === practice.email);
  expect(told).toMatchObject([
    { subject: "Your profile was changed", text: expect.stringContaining("/resetpassword") },
  ]);
});

test("users.updateProfile: a colleague’s accreditation number, however it is typed, when somebody enters it, is refused", async () => {
  const mediator = await aStaffUser(app, practice, { role: 2 });
  await rename(practice, "Ines", "Marchbank", "1482A");
  for (const number of ["1482A", "1482a", "1482 A", "1482-A"]) {
    const { fields } = await refusal(rename(mediator, "Tom", "Birch", number));
    expect(fields["accreditationNumber"]).toContain("has this accreditation number");
  }
  expect((await rename(mediator, "Tom", "Birch", "1483A")).accreditationNumber).toBe("1483A");
  const elsewhere = await aPractice(app);
  expect((await rename(elsewhere, "Ines", "Marchbank", "1482A")).accreditationNumber).toBe("1482A");
});

test("users.updateProfile: two colleagues, when they take one name at once, do not both get it", async () => {
  const people = [await aStaffUser(app, practice), await aStaffUser(app, practice), await aStaffUser(app, practice)];
  await Promise.all(people.map((person) => refusal(rename(person, "Vera", "Lind"))));
  expect((await namesIn(practice)).filter((name) => name === "Vera Lind")).toHaveLength(1);
});

test("auth.acceptInvitation: somebody invited, when they accept by the owner’s name, is refused, and by another is on the record", async () => {
  const email = `vera${newId().toLowerCase()}@example.org`;
  const { link } = await practice.api.staff.invite.mutate({
    id: newId(),
    email,
    firstName: "Vera",
    lastName: "Lind",
    role: 2,
  });
  const token = new URL(link ?? "").searchParams.get("token") ?? "";
  const accept = (firstName: string, lastName: string) =>
    aVisitor(app).api.auth.acceptInvitation.mutate({ token, firstName, lastName, password: PASSWORD });
  expect((await refusal(accept("Ines", "Marchbank"))).fields["lastName"]).toContain("Add a middle name");
  await accept("Vera", "Lindholm");
  const joined = (await practice.api.staff.list.query()).items.find((one) => one.email === email);
  expect(joined?.profileChanges).toMatchObject([{ what: "name", from: "Vera Lind", to: "Vera Lindholm" }]);
});

test("history: a line, a note’s earlier text and a proposal, when they are kept, are kept with the id of whoever it was", async () => {
  const { theCase } = await aCase(practice);
  const lines = await mongoose.connection
    .collection("history")
    .find({ ownerId: practice.ownerId, caseId: theCase.id })
    .toArray();
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatchObject({ actorId: practice.ownerId, actorName: "Ines Marchbank" });
});
