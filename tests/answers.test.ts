// S70: an answer holds nothing that needs a permission which the caller lacks, whichever door it comes through.
import { newId } from "@app/server/core/ids";
import { type Permission, PERMISSIONS } from "@app/shared/access";
import { stopJobs } from "@app/server/core/jobs";
import { richTextOf } from "@app/shared/rich-text";
import { beforeAll, describe, expect, test } from "vitest";
import { doorOf, guarded, guardedRoutes, knock } from "./support/access/access-scenario.ts";
import { aHouseOfCanaries, CLASSES } from "./support/visibility/canaries.ts";
import { permissionsOf, type Target } from "./support/access/door.ts";
import { aClient, aPractice, aStaffUser, type TestPerson } from "./support/server/people.ts";
import { pathsOf } from "./support/access/procedures.ts";
import { refusal } from "./support/access/refusal.ts";
import { putBack, type Snapshot, takeSnapshot } from "./support/server/stored.ts";
import { startTestApp } from "./support/server/test-app.ts";
import { forAllTests } from "./support/server/lifetimes.ts";

const doors = [...guarded, ...guardedRoutes];
/** What changes nothing needs nothing put back. */
const queries = new Set([...pathsOf("query"), ...guardedRoutes.filter((name) => name.startsWith("GET "))]);
const GRANTED = PERMISSIONS.filter((permission) => permission !== "assigned_only");

/** Each permission alone, and exactly what each door asks for. */
const sets: Permission[][] = [
  ...GRANTED.map((permission) => [permission]),
  ...doors.map((name) => [...permissionsOf(doorOf(name))].toSorted()).filter(({ length }) => length > 1),
];
const distinct = [...new Map(sets.map((set) => [set.join(), set])).values()];

let target: Target;
let asMade: Snapshot;
const people = new Map<string, TestPerson>();
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  target = await aHouseOfCanaries(app, practice);
  for (const permissions of distinct) people.set(permissions.join(), await aStaffUser(app, practice, { permissions }));
  await stopJobs();
  asMade = await takeSnapshot();
});

/**
 * Which doors show something for this set. What refuses whoever lacks a permission refuses them with others too, so each
 * permission alone is enough there; and a change is tried with exactly what it asks for.
 */
function doorsFor(permissions: Permission[]): string[] {
  const [first] = permissions;
  return doors.filter((name) => {
    const door = doorOf(name);
    const asked = permissionsOf(door);
    if (door.access === "protected") return first === GRANTED[0];
    if (permissions.length === 1) return true;
    if (!asked.every((each) => permissions.includes(each))) return false;
    return queries.has(name) || asked.length === permissions.length;
  });
}

/** The classes of which something stands in what this person gets at this door, with every input that there is for it. */
async function classesIn(name: string, person: TestPerson): Promise<Set<string>> {
  const found = new Set<string>();
  let isPassed = false;
  for (const ask of knock(app, name, target)) {
    const { code, text } = await ask(person);
    isPassed ||= code !== "FORBIDDEN" && !queries.has(name);
    for (const [what, { sign }] of Object.entries(CLASSES)) if (sign.test(text)) found.add(what);
  }
  if (isPassed) await putBack(asMade);
  return found;
}

test("S70: every class of data, when the owner knocks at every door, comes out somewhere", async () => {
  const found = new Set<string>();
  for (const name of doors) for (const what of await classesIn(name, practice)) found.add(what);
  expect([...found].toSorted()).toEqual(Object.keys(CLASSES).toSorted());
}, 120_000);

describe.each(distinct.map((permissions) => ({ name: permissions.join(" + "), permissions })))(
  "S70: somebody with only $name",
  ({ permissions }) => {
    test("every door, when it answers, tells nothing that needs another permission", async () => {
      const person = people.get(permissions.join());
      if (!person) throw new Error("nobody was made for these permissions");
      const told: Record<string, string[]> = {};
      for (const name of doorsFor(permissions)) {
        const found = [...(await classesIn(name, person))];
        const wrong = found.filter((what) => !CLASSES[what]?.seenWith.some((each) => permissions.includes(each)));
        if (wrong.length > 0) told[name] = wrong;
      }
      expect(told).toEqual({});
    }, 120_000);
  },
);

describe("what is left out, and what stands there instead", () => {
  const only = (...permissions: Permission[]) => aStaffUser(app, practice, { permissions });
  const party = () => ({ caseId: target.caseId, partyId: target.partyId });

  test("S70: partyView.preview, when mail or payments may not be read, says that messages or invoices are left out", async () => {
    const reader = await only("clients.read");
    const preview = await reader.api.partyView.preview.query(party());
    expect(preview.leftOut).toEqual(["message", "invoice"]);
    expect(preview.items.filter(({ kind }) => kind === "message" || kind === "invoice")).toEqual([]);
    const mailReader = await only("clients.read", "mail.read");
    const full = await mailReader.api.partyView.preview.query(party());
    expect(full.leftOut).toEqual(["invoice"]);
    expect(full.items.map(({ title }) => title)).toContain("Mailquill");
    const payments = await only("clients.read", "payments.read");
    const billed = await payments.api.partyView.preview.query(party());
    expect(billed.leftOut).toEqual(["message"]);
    expect(billed.items.filter(({ kind }) => kind === "invoice")).toHaveLength(1);
  });

  test("S70: casework.move, when a screening stands in the way, tells why only to who may read screenings", async () => {
    const steps = async (person: TestPerson) => {
      const { items } = await person.api.casework.steps.query({ id: target.caseId });
      const move = { id: target.caseId, version: 0, to: "in_mediation" as const, reason: "" };
      const refused = await refusal(person.api.casework.move.mutate(move));
      return [items.flatMap(({ blockers }) => blockers).join(" "), refused.message];
    };
    for (const text of await steps(await only("clients.read", "clients.write"))) {
      expect(text).toContain("Ask a colleague who may read screenings.");
      expect(text).not.toMatch(/screening of P1|allow/);
    }
    for (const text of await steps(await only("clients.read", "clients.write", "screening.read")))
      expect(text).toContain("The latest screening of P1 does not allow mediation.");
  });

  test("S70: tasks.setStatus, when the task tells of a screening, finds it only for who may read screenings", async () => {
    const { items } = await practice.api.tasks.list.query({ page: 1 });
    const id = items.find(({ title }) => title.includes("screening of"))?.id ?? "";
    const done = async (person: TestPerson) =>
      (await refusal(person.api.tasks.setStatus.mutate({ id, status: "doing" }))).code;
    expect(await done(await only("clients.read", "clients.write"))).toBe("NOT_FOUND");
    expect(await done(await only("clients.read", "clients.write", "screening.read"))).toBe("");
  });

  test("S70: mailings.create, when clients may not be read, takes a list of addresses and no clients", async () => {
    const sender = await only("mail.send");
    const letter = { subject: "We move", body: richTextOf("We move."), perMinute: 0 };
    const clients = { kind: "clients" as const, clientIds: [target.clientId] };
    const refused = await refusal(sender.api.mailings.create.mutate({ id: newId(), ...letter, source: clients }));
    expect(refused).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("list of addresses") });
    const csv = { kind: "csv" as const, csv: "value\nsomebody@example.org" };
    expect((await sender.api.mailings.create.mutate({ id: newId(), ...letter, source: csv })).counts.total).toBe(1);
  });

  test("S70: suppressions.list, when only assigned clients are seen, holds theirs and what was added by hand", async () => {
    const sender = await only("clients.read", "clients.write", "mail.send", "assigned_only");
    const list = async () => {
      const { items } = await sender.api.suppressions.list.query({ page: 1 });
      return items.map(({ address }) => address).toSorted();
    };
    await practice.api.suppressions.add.mutate({ id: newId(), address: "maya@elsewhere.example.org" });
    expect(await list()).toEqual([]);
    const removal = await refusal(sender.api.suppressions.remove.mutate({ id: target.suppressionId }));
    expect(removal.code).toBe("NOT_FOUND");
    await sender.api.clients.create.mutate(aClient({ email: "Maya@elsewhere.example.org" }));
    expect(await list()).toEqual(["maya@elsewhere.example.org"]);
    // It is on the list already, which this person must not learn from the answer.
    await sender.api.suppressions.add.mutate({ id: newId(), address: "stopbulk@example.org" });
    expect(await list()).toEqual(["maya@elsewhere.example.org", "stopbulk@example.org"]);
  });
});
