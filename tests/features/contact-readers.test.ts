// Who reads a contact of a case: whoever sees the case, in whatever way the contact belongs to it.
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { newId } from "@app/server/core/ids";
import { MIGRATIONS } from "@app/server/migrations";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { changeTeam, WAYS_TO_BELONG } from "../support/visibility/case-team.ts";
import { aContact } from "../support/access/contacts-access.ts";
import { imported } from "../support/hostile/import-uploads.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const PERMISSIONS = ["clients.read", "clients.write", "data.export", "assigned_only"] as const;
const MISSING = { code: "NOT_FOUND" };

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const sam = forEachTest(() => aStaffUser(app, practice, { permissions: [...PERMISSIONS] }));
const stranger = forEachTest(() => aStaffUser(app, practice, { permissions: [...PERMISSIONS] }));

const idOf = async ({ api }: TestPerson): Promise<string> => (await api.auth.status.query()).user?.userId ?? "";
const aCaseOf = async (person: TestPerson) => aCase(practice, { staffIds: [await idOf(person)] });
const takeOff = ({ id }: { id: string }) => changeTeam(practice, practice, { id }, { staffIds: [] });

async function aSolicitor(lastName = "Quillon"): Promise<string> {
  return (await practice.api.contacts.create.mutate(aContact({ lastName, notes: "Lives at the refuge" }))).id;
}

/** How often each way to read contacts shows this one. */
async function shownTo(person: TestPerson, id: string) {
  const { api } = person;
  const csv = await fetch(`${app.url}/export/contacts.csv`, { headers: { cookie: person.cookies() } });
  const got = await api.contacts.get.query({ id }).then(
    () => true,
    () => false,
  );
  const { items: listed } = await api.contacts.list.query({});
  const { items: found } = await api.search.find.query({ text: "quillon" });
  return {
    got,
    listed: listed.length > 0,
    found: found.length > 0,
    exported: (await csv.text()).includes("Lives at the refuge"),
    changed: (await api.contacts.setStatus.mutate({ ids: [id], status: "active" })).changed,
  };
}

const NOTHING = { got: false, listed: false, found: false, exported: false, changed: 0 };
const ALL = { got: true, listed: true, found: true, exported: true, changed: 0 };

describe.each(Object.entries(WAYS_TO_BELONG))("by %s", (_way, { add, remove }) => {
  test("S71: a contact of a case is shown to whoever sees the case, to nobody else, and not after they are taken off", async () => {
    const { theCase } = await aCaseOf(sam);
    const id = await aSolicitor();
    expect(await shownTo(stranger, id)).toEqual(ALL);
    await add(practice, theCase, id);
    expect(await shownTo(stranger, id)).toEqual(NOTHING);
    expect(await shownTo(sam, id)).toEqual(ALL);
    await takeOff(theCase);
    expect(await shownTo(sam, id)).toEqual(NOTHING);
  });

  test("S71: a contact that is taken out of its last case is shown to nobody who did not see that case", async () => {
    const { theCase } = await aCaseOf(sam);
    const id = await aSolicitor();
    await add(practice, theCase, id);
    await remove(sam, theCase, id);
    expect(await shownTo(stranger, id)).toEqual(NOTHING);
    expect(await shownTo(sam, id)).toEqual(ALL);
    await takeOff(theCase);
    expect(await shownTo(sam, id)).toEqual(NOTHING);
  });

  test("S71: a contact of two cases that leaves one, then the other, is shown to those of the one it left last", async () => {
    const [one, other] = [await aCaseOf(sam), await aCaseOf(stranger)];
    const id = await aSolicitor();
    for (const { theCase } of [one, other]) await add(practice, theCase, id);
    const left = await refusal(remove(sam, one.theCase, id));
    expect(left.message).toBe("was not refused");
    expect(await shownTo(sam, id)).toEqual(NOTHING);
    await remove(practice, other.theCase, id);
    expect(await shownTo(sam, id)).toEqual(NOTHING);
    expect(await shownTo(stranger, id)).toEqual(ALL);
  });

  test("S71: a contact that two cases name at once belongs to both", async () => {
    const [one, other] = [await aCaseOf(sam), await aCaseOf(stranger)];
    const id = await aSolicitor();
    await Promise.all([one, other].map(({ theCase }) => add(practice, theCase, id)));
    expect(await shownTo(sam, id)).toEqual(ALL);
    expect(await shownTo(stranger, id)).toEqual(ALL);
  });

  test("S71: a contact from before its cases were noted, once the data is brought up to date, is shown to those alone", async () => {
    const { theCase } = await aCaseOf(sam);
    const [id, free] = [await aSolicitor(), await aSolicitor("Freely")];
    await add(practice, theCase, id);
    const contacts = mongoose.connection.collection<{ _id: string }>("contacts");
    await contacts.updateMany({}, { $unset: { caseIds: "", caseStep: "" } });
    await mongoose.connection.collection("migrations").deleteMany({ _id: /which cases contacts belong to$/ });
    await migrate(MIGRATIONS, createLogger("silent"));
    expect((await sam.api.contacts.get.query({ id })).id).toBe(id);
    expect(await refusal(stranger.api.contacts.get.query({ id }))).toMatchObject(MISSING);
    expect((await stranger.api.contacts.get.query({ id: free })).id).toBe(free);
  });

  test("imports.undo: a contact that came to belong to a case, also where it left it again, stays and is told as in use", async () => {
    const { theCase } = await aCase(practice);
    const done = await imported(app, practice, "First name,Surname,Role\nLena,Brook,Solicitor", { kind: "contacts" });
    const { items } = await practice.api.contacts.list.query({});
    const id = items[0]?.id ?? "";
    const inUse = { outcome: "changed", items: [{ name: "Lena Brook", reason: expect.stringContaining("in use") }] };
    const undone = () => practice.api.imports.undo.mutate({ id: done.id, keepsChanged: false });
    await add(practice, theCase, id);
    expect(await undone()).toMatchObject(inUse);
    await remove(practice, theCase, id);
    expect(await undone()).toMatchObject(inUse);
  });

  test("conflicts.search: a contact who is like the person looked for is told with the case", async () => {
    const { theCase } = await aCase(practice);
    const id = await aSolicitor();
    await add(practice, theCase, id);
    const nothing = { knownAs: "", organisation: "", email: "", phones: [], dateOfBirth: "" };
    const { items } = await practice.api.conflicts.search.query({
      term: { ...nothing, firstName: "Harriet", lastName: "Quillon" },
    });
    expect(items).toMatchObject([{ kind: "contact", id, caseRefs: [theCase.caseRef] }]);
  });

  test("compose.start: whoever belongs to the case is known to whoever writes in it", async () => {
    const { theCase, first } = await aCase(practice);
    await add(practice, theCase, await aSolicitor());
    const started = await practice.api.compose.start.query({ clientId: first.id, caseId: theCase.id });
    expect(JSON.stringify(started)).toContain("Quillon");
  });
});

test("S71: contacts.unlink by whoever sees one of two cases of a contact answers with what they saw, and hides the rest", async () => {
  const [one, hidden] = [await aCaseOf(sam), await aCase(practice)];
  const id = await aSolicitor();
  const link = { id, role: "expert", partyId: null } as const;
  for (const { theCase } of [one, hidden])
    await practice.api.contacts.link.mutate({ changeId: newId(), ...link, caseId: theCase.id });
  const left = await sam.api.contacts.unlink.mutate({ ...link, caseId: one.theCase.id });
  expect(left).toMatchObject({ id, links: [] });
  expect(await refusal(sam.api.contacts.get.query({ id }))).toMatchObject(MISSING);
});
