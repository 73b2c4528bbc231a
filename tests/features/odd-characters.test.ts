// Signs that nobody sees or types, in what is looked for and in names.
import { newId } from "@app/server/core/ids";
import { beforeAll, expect, test } from "vitest";
import { aCase, aPractice } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const ODD = ["a\u0000b", "\u0000\u0000ab", "ab\u0007\u001B"];

let clientId: string;
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  clientId = (await aCase(practice)).first.id;
});

const SEARCHES: [string, (search: string) => Promise<unknown>][] = [
  ["clients.list", (search) => practice.api.clients.list.query({ search })],
  ["cases.list", (search) => practice.api.cases.list.query({ search })],
  ["contacts.list", (search) => practice.api.contacts.list.query({ search })],
  ["files.list", (search) => practice.api.files.list.query({ clientId, search })],
  ["notes.list", (search) => practice.api.notes.list.query({ clientId, search })],
  ["suppressions.list", (search) => practice.api.suppressions.list.query({ search })],
  ["search.find", (text) => practice.api.search.find.query({ text })],
];
test.each(SEARCHES)(
  "%s: control characters, when they are looked for, are answered as a search",
  async (_path, find) => {
    for (const text of ODD) expect((await refusal(find(text))).message).toBe("was not refused");
  },
);

test.each(["clients", "contacts"])(
  "GET /export/%s.csv: a NUL, when it is looked for, leaves the file whole",
  async (name) => {
    const answer = await fetch(`${app.url}/export/${name}.csv?search=%00`, { headers: { cookie: practice.cookies() } });
    expect(answer.status).toBe(200);
    expect((await answer.text()).length).toBeGreaterThan(20);
  },
);

test("staff.invite: the practice's name, when it holds direction marks, goes into the mail without them", async () => {
  const { currency: _shown, ...settings } = await practice.api.practices.get.query();
  await practice.api.practices.update.mutate({
    ...settings,
    practiceName: "\u202EQuill\u00ADfeather\u2060 👨‍👩‍👧",
  });
  expect((await practice.api.practices.get.query()).practiceName).toBe("Quillfeather 👨‍👩‍👧");
  const person = { email: "vera@example.org", firstName: "Vera", lastName: "Lind", role: 3 as const };
  await practice.api.staff.invite.mutate({ id: newId(), ...person });
  const { items } = await practice.api.mail.listUnsent.query({});
  expect(items.map(({ subject }) => subject)).toContainEqual("Your account at Quillfeather 👨‍👩‍👧 (Evenhand)");
});
