import type { Permission } from "@app/shared/access";
import { describe, expect, test } from "vitest";
import { aClient, anIntake, type Api, aPractice, aStaffUser, clientFields } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const counted = async () => ({
  clients: (await practice.api.clients.list.query({})).total,
  cases: (await practice.api.cases.list.query({ page: 1 })).total,
});

const other = { client: clientFields({ firstName: "Owen", lastName: "Castell", email: "owen@example.org" }) };

describe("intake.create", () => {
  test("both parties, when they are new, are stored with their case and what the conflict check said", async () => {
    const made = await practice.api.intake.create.mutate(
      anIntake({ other, conflict: { decision: "clear", reason: "" } }),
    );
    const theCase = await practice.api.cases.get.query({ id: made.caseId ?? "" });
    expect(theCase.parties.map(({ role }) => role)).toEqual(["initiator", "respondent"]);
    expect(theCase.parties[0]?.clientId).toBe(made.id);
    expect((await practice.api.conflicts.ofCase.query({ id: theCase.id })).latest).toMatchObject({
      decision: "clear",
      isOutdated: false,
    });
    expect(await counted()).toEqual({ clients: 2, cases: 1 });
  });

  test("the other party, when they are a client already, is not made again", async () => {
    const known = await practice.api.clients.create.mutate(aClient());
    await practice.api.intake.create.mutate(anIntake({ other: { clientId: known.id } }));
    expect(await counted()).toEqual({ clients: 2, cases: 1 });
  });

  test("a client alone, when no case is opened, is stored alone", async () => {
    expect(await practice.api.intake.create.mutate(anIntake({ theCase: null }))).toMatchObject({ caseId: null });
    expect(await counted()).toEqual({ clients: 1, cases: 0 });
  });

  test.each([
    ["the other party is nobody's client", { other: { clientId: "nobody" } }],
    ["the other party may not be stored", { other: { client: clientFields({ email: "owner@here" }) } }],
    ["the conflict is waived without a reason", { conflict: { decision: "waived", reason: "" } as const }],
    ["there is another party but no case", { other, theCase: null }],
  ])("nothing, when %s, is stored", async (_what, part) => {
    expect((await refusal(practice.api.intake.create.mutate(anIntake(part)))).code).toMatch(/NOT_FOUND|BAD_REQUEST/);
    expect(await counted()).toEqual({ clients: 0, cases: 0 });
  });

  test("somebody of the name of a client whom this person sees, is added only once it is said that they are another", async () => {
    const client = clientFields({ firstName: "Maya", lastName: "Sandpiper", email: "" });
    const send = (more: Partial<Parameters<typeof anIntake>[0]> = {}, by: Api = practice.api) =>
      by.intake.create.mutate(anIntake({ client, theCase: null, isAnother: false, ...more }));
    await send();
    const told = { fields: { isAnother: expect.stringContaining("a client called Maya Sandpiper already") } };
    expect(await refusal(send())).toMatchObject(told);
    expect(await refusal(send({ client: { ...client, firstName: "maya " } }))).toMatchObject(told);
    const { theCase } = anIntake();
    const other = { client: { ...client, firstName: "Maya" } };
    const somebody = clientFields({ firstName: "Nobody", lastName: "Before", email: "" });
    expect(await refusal(send({ client: somebody, other, theCase }))).toMatchObject(told);
    expect(await send({ isAnother: true })).toMatchObject({ displayName: "Maya Sandpiper" });
    const permissions: Permission[] = ["clients.read", "clients.write", "assigned_only"];
    const apart = await aStaffUser(app, practice, { permissions });
    expect(await send({}, apart.api)).toMatchObject({ displayName: "Maya Sandpiper" });
  });

  test("nothing, when the reference is another case's, is stored", async () => {
    const { theCase, ...intake } = anIntake();
    const named = { ...intake, theCase: theCase && { ...theCase, caseRef: "QF-1" } };
    await practice.api.intake.create.mutate(named);
    const again = anIntake({ theCase: named.theCase });
    expect((await refusal(practice.api.intake.create.mutate(again))).code).toBe("BAD_REQUEST");
    expect(await counted()).toEqual({ clients: 1, cases: 1 });
  });

  test("one intake, when it is sent twenty times at once, makes one client and one case", async () => {
    const intake = anIntake({ other });
    const made = await Promise.all(Array.from({ length: 20 }, () => practice.api.intake.create.mutate(intake)));
    expect(new Set(made.map(({ id, caseId }) => `${id} ${caseId}`)).size).toBe(1);
    expect(await counted()).toEqual({ clients: 2, cases: 1 });
  });

  test("whoever sees assigned cases only, when they take somebody in, sees both", async () => {
    const person = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "assigned_only"] });
    const { id, caseId } = await person.api.intake.create.mutate(anIntake({ other }));
    expect((await person.api.clients.get.query({ id })).id).toBe(id);
    expect((await person.api.cases.get.query({ id: caseId ?? "" })).parties).toHaveLength(2);
  });
});

describe("what the history tells of a client's record", () => {
  const told = async (clientId: string) =>
    (await practice.api.timeline.list.query({ clientId, page: 1, kind: "client" })).items.map(({ text }) => text);

  test("clients.update, when it changes how they may be reached, says so without what it says", async () => {
    const { id, version } = await practice.api.clients.create.mutate(aClient());
    const safeContact = { ...clientFields().safeContact, codeWord: "heron", mayPhone: false };
    await practice.api.clients.update.mutate({
      id,
      version,
      client: clientFields({ safeContact, email: "new@example.net" }),
    });
    expect(await told(id)).toEqual(["How they may be reached, Contact details changed"]);
    expect(JSON.stringify(await practice.api.timeline.list.query({ clientId: id, page: 1 }))).not.toContain("heron");
  });

  test("clients.update, when it changes nothing, tells nothing", async () => {
    const { id, version } = await practice.api.clients.create.mutate(aClient());
    await practice.api.clients.update.mutate({ id, version, client: clientFields() });
    expect(await told(id)).toEqual([]);
  });

  test("clients.setStatus, when it archives and brings back, tells both", async () => {
    const { id } = await practice.api.clients.create.mutate(aClient());
    await practice.api.clients.setStatus.mutate({ ids: [id], status: "archived" });
    await practice.api.clients.setStatus.mutate({ ids: [id], status: "active" });
    expect(await told(id)).toEqual(["Taken out of the archive", "Archived"]);
  });
});
