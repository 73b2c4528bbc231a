// S71: how somebody is reached is changed by whoever sees all their cases: the others write there too.
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { newId } from "@app/server/core/ids";
import { MIGRATIONS } from "@app/server/migrations";
import { type CreateClient, DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import type { CreateContact } from "@app/shared/contacts";
import mongoose from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { changeTeam } from "../support/visibility/case-team.ts";
import { aContact, contactFields } from "../support/access/contacts-access.ts";
import { aCase, aCaseInput, aClient, aPractice, aStaffUser, clientFields } from "../support/server/people.ts";
import type { TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const REFUSED = { code: "FORBIDDEN", message: expect.stringContaining("Others of the practice also keep how") };

let sam: TestPerson;
let samId: string;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(async () => {
  sam = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "assigned_only"] });
  samId = (await sam.api.auth.status.query()).user?.userId ?? "";
});

async function save(person: Pick<TestPerson, "api">, id: string, fields: Partial<CreateClient>) {
  const { version, firstName, lastName, email, phones } = await practice.api.clients.get.query({ id });
  const client = clientFields({ firstName, lastName, email, phones, ...fields });
  return person.api.clients.update.mutate({ id, version, client });
}

async function saveContact(person: Pick<TestPerson, "api">, id: string, fields: Partial<CreateContact>) {
  const { version } = await practice.api.contacts.get.query({ id });
  return person.api.contacts.update.mutate({ id, version, contact: contactFields(fields) });
}

const WAYS: Partial<CreateClient>[] = [
  { email: "elsewhere@example.org" },
  { phones: [{ type: "mobile", number: "07700 900999", isPreferred: true }] },
  { address: { lines: ["1 Other Road"], postcode: "LS1 1AA", country: "United Kingdom" } },
  { isAddressConfidential: true },
  { safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false } },
];

describe("clients.update", () => {
  const hidden = async (clientId: string) => practice.api.casework.create.mutate(aCaseInput([clientId]));

  test("S71: by whoever does not see another case of the client, then how they are reached stays, and the rest is saved", async () => {
    const { first } = await aCase(practice, { staffIds: [samId] });
    await hidden(first.id);
    for (const way of WAYS) {
      const refused = await refusal(save(sam, first.id, way));
      expect(refused, JSON.stringify(way)).toMatchObject(REFUSED);
      expect(refused.message).not.toContain("case");
    }
    expect(await save(sam, first.id, { needs: "Large print", knownAs: "Pri" })).toMatchObject({
      needs: "Large print",
      email: first.email,
    });
    expect(await save(practice, first.id, WAYS[0] ?? {})).toMatchObject(WAYS[0] ?? {});
  });

  test("S71: by whoever works on every case of the client, or made one who has none, then how they are reached is saved", async () => {
    const own = await sam.api.clients.create.mutate(aClient());
    expect(await save(sam, own.id, WAYS[0] ?? {})).toMatchObject(WAYS[0] ?? {});
    const { first, theCase } = await aCase(practice, {
      staffIds: [samId],
      mediators: [{ userId: practice.ownerId, isLead: true }],
    });
    for (const way of WAYS) expect(await save(sam, first.id, way)).toMatchObject(way);
    const second = await hidden(first.id);
    expect(await refusal(save(sam, first.id, { email: "again@example.org" }))).toMatchObject(REFUSED);
    await changeTeam(practice, practice, second, { staffIds: [samId] });
    expect(await save(sam, first.id, { email: "again@example.org" })).toMatchObject({ email: "again@example.org" });
    await changeTeam(practice, practice, theCase, { staffIds: [] });
    expect(await refusal(save(sam, first.id, { email: "third@example.org" }))).toMatchObject(REFUSED);
  });

  test("S71: of a client from before it was noted who keeps them, once the data is brought up to date, is as for any", async () => {
    const { first } = await aCase(practice, { staffIds: [samId] });
    const { first: other } = await aCase(practice, { staffIds: [samId] });
    await hidden(other.id);
    await mongoose.connection.collection("clients").updateMany({}, { $unset: { keptByUserIds: "" } });
    await mongoose.connection
      .collection<{ _id: string }>("migrations")
      .deleteMany({ _id: /who says how clients are reached$/ });
    await migrate(MIGRATIONS, createLogger("silent"));
    expect(await save(sam, first.id, { email: "elsewhere@example.org" })).toMatchObject({
      email: "elsewhere@example.org",
    });
    expect(await refusal(save(sam, other.id, { email: "elsewhere@example.org" }))).toMatchObject(REFUSED);
  });
});

describe("contacts.update", () => {
  test("S71: of a contact who also belongs to a hidden case, then how they are reached stays, and the rest is saved", async () => {
    const { theCase } = await aCase(practice, { staffIds: [samId] });
    const other = await aCase(practice);
    const { id } = await practice.api.contacts.create.mutate(aContact());
    const link = { id, role: "solicitor", partyId: null } as const;
    await practice.api.contacts.link.mutate({ changeId: newId(), ...link, caseId: theCase.id });
    expect(await saveContact(sam, id, { email: "first@example.org" })).toMatchObject({ email: "first@example.org" });
    await practice.api.contacts.link.mutate({ changeId: newId(), ...link, caseId: other.theCase.id });
    for (const way of WAYS.slice(0, 3)) {
      const { email = "first@example.org", phones, address } = way;
      const fields = { email, ...(phones ? { phones } : {}), ...(address ? { address } : {}) };
      expect(await refusal(saveContact(sam, id, fields))).toMatchObject(REFUSED);
    }
    expect(await saveContact(sam, id, { email: "first@example.org", notes: "Away in May" })).toMatchObject({
      notes: "Away in May",
    });
    expect(await saveContact(practice, id, { email: "second@example.org" })).toMatchObject({
      email: "second@example.org",
    });
  });
});
