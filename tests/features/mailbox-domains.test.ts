// One mailbox under several domains is one person, wherever addresses are compared and whenever they were stored.
import { newId } from "@app/server/core/ids";
import { emailKey } from "@app/server/core/likeness";
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { clientsAtAddresses, clientsOnceAt } from "@app/server/features/clients/client-addresses.service";
import { contactsAtAddresses, contactsOnceAt } from "@app/server/features/contacts/contact-addresses.service";
import { suppressedOf } from "@app/server/features/suppressions/suppressions.service";
import { MIGRATIONS } from "@app/server/migrations";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { aCaseInput, aClient, aPractice } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aLetterTo } from "../support/mail/letters.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const SAME: [string, string][] = [
  ["bea@icloud.com", "bea@me.com"],
  ["bea@icloud.com", "Bea+x@mac.com"],
  ["bea.lund@proton.me", "bea-lund@protonmail.com"],
  ["bea.lund@proton.me", "bealund@pm.me"],
  ["bea@yandex.ru", "bea@ya.ru"],
  ["bea.lund@yandex.ru", "Bea-Lund+x@yandex.com"],
  ["bea_lund@fastmail.com", "shop@bea-lund.fastmail.com"],
];

test.each(SAME)(
  "S67: a party at %s, when a mail for the other party would go to %s too, keeps it",
  async (email, other) => {
    const first = await practice.api.clients.create.mutate(aClient({ email: "priya@example.org" }));
    const second = await practice.api.clients.create.mutate(aClient({ firstName: "Bea", email }));
    const theCase = await practice.api.casework.create.mutate(aCaseInput([first.id, second.id]));
    const cc = [{ name: "", address: other }];
    const draft = aLetterTo(first.email, { clientId: first.id, caseId: theCase.id, cc });
    const { problems } = await practice.api.compose.check.mutate(draft);
    expect(problems.map(({ code }) => code)).toContain("other_party");
    const sent = practice.api.compose.send.mutate({ id: newId(), ...draft, sendAt: null });
    expect((await refusal(sent)).message).toMatch(/^PARTY_LEAK: /);
  },
);

test.each(SAME)(
  "S67: %s and %s, when one of them was stored before they were one, are found by either",
  async (one, other) => {
    const { ownerId } = practice;
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: one }));
    const { id: contactId } = await practice.api.contacts.create.mutate(aContact({ email: one }));
    await practice.api.suppressions.add.mutate({ id: newId(), address: one });
    const stored = (name: string) => mongoose.connection.collection<{ _id: string }>(name);
    const asBefore = { $set: { "matchKeys.$[key]": `e:${one}` } };
    const arrayFilters = [{ key: emailKey(one) }];
    await stored("clients").updateOne({ _id: clientId }, asBefore, { arrayFilters });
    await stored("contacts").updateOne({ _id: contactId }, asBefore, { arrayFilters });
    await mongoose.connection.collection("mail_suppressions").updateOne({ ownerId }, { $set: { mailbox: one } });
    await stored("migrations").deleteMany({});
    await migrate(MIGRATIONS, createLogger("silent"));
    const clients = await clientsAtAddresses(ownerId, { addresses: [other], ids: [] });
    expect(clients.map(({ id }) => id)).toEqual([clientId]);
    expect((await contactsAtAddresses(ownerId, [other])).map(({ id }) => id)).toEqual([contactId]);
    expect(await suppressedOf(ownerId, [other])).toEqual(new Set([other]));
  },
);

test("S67: an address at Yandex that somebody left, when it was stored before its signs were one, is still theirs however it is spelled", async () => {
  const { ownerId } = practice;
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const { id: contactId } = await practice.api.contacts.create.mutate(aContact());
  const stored = (name: string) => mongoose.connection.collection<{ _id: string }>(name);
  const asBefore = { $set: { formerMailboxes: ["bea.lund@yandex.ru", "bea@example.org"] } };
  await stored("clients").updateOne({ _id: clientId }, asBefore);
  await stored("contacts").updateOne({ _id: contactId }, asBefore);
  await stored("migrations").deleteMany({});
  await migrate(MIGRATIONS, createLogger("silent"));
  for (const address of ["bea-lund@ya.ru", "Bea.Lund@yandex.com", "bea@example.org"]) {
    expect((await clientsOnceAt(ownerId, [address])).map(({ id }) => id)).toEqual([clientId]);
    expect((await contactsOnceAt(ownerId, [address])).map(({ id }) => id)).toEqual([contactId]);
  }
});
