// The safeguarding record: its own permission, all its wordings, and no trace of it anywhere else.
import { safeguardingOfMediators } from "@app/server/features/users/users.migration";
import type { Permission } from "@app/shared/access";
import { addEntrySchema } from "@app/shared/safeguarding";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { aCase, aPractice, aStaffUser, type Api, type TestPractice } from "../support/server/people.ts";
import { anAmendment, anEntry } from "../support/server/safeguarded.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const WORD = "Guardword";
const ALL_ELSE: Permission[] = [
  "clients.read",
  "clients.write",
  "notes.private.read",
  "screening.read",
  "mail.read",
  "reports.read",
  "audit.read",
];

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const reader = (from: TestPractice) =>
  aStaffUser(app, from, { permissions: ["clients.read", "clients.write", "safeguarding.read"] });
const entriesOf = async (api: Api, caseId: string) => (await api.safeguarding.list.query({ caseId })).items;
const idOf = async (api: Api) => (await api.auth.status.query()).user?.userId ?? "";

describe("what is written", () => {
  test.each([
    ["what it is", { kind: "" }, "kind"],
    ["who is at risk", { personAtRisk: " " }, "personAtRisk"],
    ["the concern", { concern: "" }, "concern"],
    ["a word of the concern", { concern: "." }, "concern"],
    ["how soon", { immediacy: "" }, "immediacy"],
    ["who was consulted", { consulted: { isConsulted: true, who: "", on: "2026-01-05", whyNot: "" } }, "consulted.who"],
    ["why nobody was", { consulted: { isConsulted: false, who: "", on: "", whyNot: "" } }, "consulted.whyNot"],
    ["which agency was told, or why none", { told: [] }, "whyNobodyTold"],
    ["what the client was told", { clientTold: "" }, "clientTold"],
    ["in which words", { clientWords: "" }, "clientWords"],
  ])("an entry: without %s it is refused at that field", (_what, change, path) => {
    const { id: _id, ...entry } = anEntry("c");
    expect(addEntrySchema.safeParse(entry).success).toBe(true);
    const { error } = addEntrySchema.safeParse({ ...entry, ...change });
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  test("an entry: when an agency was told years before the case was opened, then its day is refused, also in a later wording", async () => {
    const { theCase } = await aCase(practice);
    const told = [{ agency: "Children’s services", on: "2006-01-05", reference: "CS-1" }];
    const early = { fields: { "told.0.on": expect.stringContaining("years before the case was opened") } };
    const { add, amend } = practice.api.safeguarding;
    expect(await refusal(add.mutate(anEntry(theCase.id, { told })))).toMatchObject(early);
    const { id } = await add.mutate(anEntry(theCase.id));
    expect(await refusal(amend.mutate(anAmendment(id, theCase.id, { told })))).toMatchObject(early);
  });

  test("safeguarding.amend: a new wording stands before the first, which stays, and an old version is refused", async () => {
    const { api } = practice;
    const { theCase } = await aCase(practice);
    const { id } = await api.safeguarding.add.mutate(anEntry(theCase.id));
    await api.safeguarding.amend.mutate(anAmendment(id, theCase.id, { concern: "Said more" }));
    const [entry] = await entriesOf(api, theCase.id);
    expect(entry).toMatchObject({
      version: 1,
      earlierCount: 1,
      latest: { concern: "Said more", why: "They rang back", byName: "Ines Marchbank" },
    });
    expect(await api.safeguarding.listWordings.query({ id })).toMatchObject({
      total: 1,
      items: [{ concern: "Bruises on both arms", why: "" }],
    });
    const again = anAmendment(id, theCase.id, { concern: "Over it" });
    expect(await refusal(api.safeguarding.amend.mutate(again))).toMatchObject({ code: "CONFLICT" });
  });

  test("the record: when it is stored, none of its words stands in the database, and nothing else is written of it", async () => {
    const { theCase } = await aCase(practice);
    const count = async (name: string) => mongoose.connection.collection(name).countDocuments({ caseId: theCase.id });
    const told = ["history", "tasks", "email_messages"];
    const before = await Promise.all(told.map(count));
    const { id } = await practice.api.safeguarding.add.mutate(
      anEntry(theCase.id, { concern: WORD, personAtRisk: WORD }),
    );
    await practice.api.safeguarding.amend.mutate(anAmendment(id, theCase.id, { clientWords: WORD }));
    expect(await Promise.all(told.map(count))).toEqual(before);
    for (const { name } of await mongoose.connection.listCollections()) {
      const docs = await mongoose.connection.collection(name).find().toArray();
      expect({ name, holds: JSON.stringify(docs).includes(WORD) }).toEqual({ name, holds: false });
    }
  });
});

describe("who reads it", () => {
  test("S70: the record: for who lacks its permission and has all others, is nowhere, and no party is told", async () => {
    const { theCase, first } = await aCase(practice);
    const { id } = await practice.api.safeguarding.add.mutate(anEntry(theCase.id, { concern: WORD }));
    const { api } = await aStaffUser(app, practice, { permissions: ALL_ELSE });
    expect(await refusal(entriesOf(api, theCase.id))).toMatchObject({ code: "FORBIDDEN" });
    const amended = api.safeguarding.amend.mutate(anAmendment(id, theCase.id));
    expect(await refusal(amended)).toMatchObject({ code: "FORBIDDEN" });
    const seen = [
      await api.cases.get.query({ id: theCase.id }),
      await api.casework.steps.query({ id: theCase.id }),
      await api.timeline.list.query({ clientId: first.id }),
      await api.tasks.list.query({ page: 1 }),
      await api.dashboard.get.query(),
      await api.search.find.query({ text: WORD }),
    ];
    expect(JSON.stringify(seen)).not.toMatch(/guardword|safeguarding (entry|record)/i);
    for (const party of theCase.parties)
      expect(await toldToParty(app, practice, theCase.id, party)).not.toContain(WORD.toLowerCase());
  });

  test("S70: a suspicion: the owner, who did not write it, hears of none; its author and the nominated officer read it", async () => {
    const house = await aPractice(app);
    const { theCase } = await aCase(house);
    const [author, officer, other] = [await reader(house), await reader(house), await reader(house)];
    const suspicion = anEntry(theCase.id, { kind: "suspicious_activity", concern: "Cash from nowhere" });
    const { id } = await author.api.safeguarding.add.mutate(suspicion);
    const counts = async () =>
      Promise.all([house, author, officer, other].map(async ({ api }) => (await entriesOf(api, theCase.id)).length));
    expect(await counts()).toEqual([0, 1, 0, 0]);
    const change = () => anAmendment(id, theCase.id, { clientTold: "deliberately_not" });
    for (const { api } of [house, officer, other]) {
      expect(await refusal(api.safeguarding.amend.mutate(change()))).toMatchObject({ code: "NOT_FOUND" });
      expect(await refusal(api.safeguarding.listWordings.query({ id }))).toMatchObject({ code: "NOT_FOUND" });
    }
    const userId = await idOf(officer.api);
    expect(await refusal(other.api.safeguarding.setOfficer.mutate({ userId }))).toMatchObject({ code: "FORBIDDEN" });
    await house.api.safeguarding.setOfficer.mutate({ userId });
    expect(await counts()).toEqual([0, 1, 1, 0]);
    await officer.api.safeguarding.amend.mutate(change());
    await house.api.safeguarding.setOfficer.mutate({ userId: null });
    expect(await counts()).toEqual([0, 1, 0, 0]);
  });

  test("safeguarding.officer: before and after somebody is nominated, whoever may read the record is told who it is", async () => {
    const house = await aPractice(app);
    const [officer, other] = [await reader(house), await reader(house)];
    expect(await other.api.safeguarding.officer.query()).toEqual({ userId: null, name: "", mayRead: false, named: [] });
    const userId = await idOf(officer.api);
    await house.api.safeguarding.setOfficer.mutate({ userId });
    expect(await other.api.safeguarding.officer.query()).toMatchObject({ userId, name: "Tom Birch", mayRead: true });
    // Nobody becomes the officer for a moment unseen.
    const own = await idOf(house.api);
    for (const next of [own, own, null]) await house.api.safeguarding.setOfficer.mutate({ userId: next });
    const { named } = await other.api.safeguarding.officer.query();
    const { firstName, lastName } = await house.api.users.profile.query();
    const byName = `${firstName} ${lastName}`;
    expect(named.map(({ at: _at, ...naming }) => naming)).toEqual([
      { name: "", byName },
      { name: byName, byName },
      { name: "Tom Birch", byName },
    ]);
    const without = await aStaffUser(app, house, { permissions: ["clients.read"] });
    expect(await refusal(without.api.safeguarding.officer.query())).toMatchObject({ code: "FORBIDDEN" });
  });

  test("safeguarding.setOfficer: with somebody of another practice, is refused at its field", async () => {
    const other = await aPractice(app);
    const userId = other.ownerId;
    expect(await refusal(practice.api.safeguarding.setOfficer.mutate({ userId }))).toMatchObject({
      code: "BAD_REQUEST",
      fields: { userId: "Choose somebody of this practice." },
    });
  });

  test("safeguarding.add: sent twice under one id, by somebody who sees no suspicion, makes and tells of one alone", async () => {
    const house = await aPractice(app);
    const { theCase } = await aCase(house);
    const author = await reader(house);
    const suspicion = anEntry(theCase.id, { kind: "suspicious_activity" });
    const [one, two] = await Promise.all([
      author.api.safeguarding.add.mutate(suspicion),
      author.api.safeguarding.add.mutate(suspicion),
    ]);
    expect(two?.id).toBe(one?.id);
    expect(await refusal(house.api.safeguarding.add.mutate(suspicion))).toMatchObject({ code: "CONFLICT" });
    expect(await entriesOf(house.api, theCase.id)).toEqual([]);
  });

  test("the permission: when it is brought in, stored mediators have it and nobody else", async () => {
    const house = await aPractice(app);
    const without: Permission[] = ["clients.read"];
    const mediator = await aStaffUser(app, house, { role: 2, permissions: without });
    const caseworker = await aStaffUser(app, house, { role: 3, permissions: without });
    await safeguardingOfMediators();
    const { items } = await house.api.staff.list.query();
    const permissionsOf = (email: string) => items.find((each) => each.email === email)?.permissions;
    expect(permissionsOf(mediator.email)).toEqual(["clients.read", "safeguarding.read"]);
    expect(permissionsOf(caseworker.email)).toEqual(["clients.read"]);
  });
});

test("safeguarding.add and amend: that the client was told of a suspicion is refused with what to do, and of a concern it is kept", async () => {
  const { theCase } = await aCase(practice);
  const { api } = practice;
  const told = { fields: { clientTold: expect.stringMatching(/^Nobody tells the client of a suspicion/) } };
  const suspicion = anEntry(theCase.id, { kind: "suspicious_activity" });
  expect(await refusal(api.safeguarding.add.mutate({ ...suspicion, clientTold: "told" }))).toMatchObject(told);
  const { id } = await api.safeguarding.add.mutate(suspicion);
  const amend = (clientTold: "told" | "not_yet") =>
    api.safeguarding.amend.mutate(anAmendment(id, theCase.id, { clientTold }));
  expect(await refusal(amend("told"))).toMatchObject(told);
  expect((await amend("not_yet")).latest.clientTold).toBe("not_yet");
  expect((await api.safeguarding.add.mutate(anEntry(theCase.id))).latest.clientTold).toBe("told");
});

test.each(["-", " ", "..."])(
  "safeguarding.add: in danger now, and no agency told because of “%s”, is refused",
  async (why) => {
    const { theCase } = await aCase(practice);
    const now = anEntry(theCase.id, { immediacy: "now", told: [], whyNobodyTold: why });
    expect(await refusal(practice.api.safeguarding.add.mutate(now))).toMatchObject({
      fields: { whyNobodyTold: "Say why no agency was told" },
    });
  },
);
