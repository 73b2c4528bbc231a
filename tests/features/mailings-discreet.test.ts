// What a mailing tells of people, to those who get it and to those who send it.
import { newId } from "@app/server/core/ids";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { richTextOf } from "@app/shared/rich-text";
import { expect, test, vi } from "vitest";
import { aCase, aClient, aStaffUser, clientFields, type TestPerson } from "../support/server/people.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";

const { smtp, app, practice } = aSendingPractice({ PUBLIC_URL: "" });

async function mailing(csv: string, { api }: TestPerson = practice) {
  const letter = { subject: "We move", body: richTextOf("To 4 Kiln Row."), perMinute: 0 };
  const { id } = await api.mailings.create.mutate({ id: newId(), ...letter, source: { kind: "csv", csv } });
  await api.mailings.start.mutate({ changeId: newId(), id });
  await vi.waitFor(async () => expect((await api.mailings.get.query({ id })).state).toBe("done"), {
    timeout: 30_000,
    interval: 100,
  });
  return (await api.mailings.listItems.query({ mailingId: id, page: 1 })).items;
}

test("S68: the page to get no more mailings, when its reader must be reached discreetly, left the mailbox or is anybody, names nobody", async () => {
  const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "harbour" };
  await practice.api.clients.create.mutate(aClient({ email: "rita@example.org", safeContact }));
  const { id, version } = await practice.api.clients.create.mutate(aClient({ email: "left@example.org", safeContact }));
  await mailing("value\nrita+q@example.org\nleft@example.org\nzoe@example.net");
  const client = clientFields({ email: "safe@example.net", safeContact });
  await practice.api.clients.update.mutate({ id, version, client });
  for (const address of ["rita+q@example.org", "left@example.org", "zoe@example.net"]) {
    const source = smtp.received.find(({ to }) => to.includes(address))?.source ?? "";
    const [path = ""] = /\/u\/[\w-]{22,64}/.exec(source.replace(/=\r?\n/g, "")) ?? [];
    for (const method of ["GET", "POST"]) {
      const page = await (await fetch(`${app.url}${path}`, { method })).text();
      expect(page).toContain("o more mailings");
      expect(page).not.toContain(practice.practiceName);
    }
  }
});

test("S70: whoever sees assigned clients only, when addresses of a list get nothing, learns why of none of them", async () => {
  const { first, second } = await aCase(practice);
  await practice.api.clients.create.mutate(
    aClient({ email: "nora@example.org", safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false } }),
  );
  await practice.api.suppressions.add.mutate({ id: newId(), address: "uma@example.net" });
  const permissions = ["mail.send", "mail.read", "clients.read", "assigned_only"] as const;
  const person = await aStaffUser(app, practice, { permissions: [...permissions] });
  const csv = `value\nnora@example.org\numa@example.net\nzoe@example.net\nzoe@example.net\nnone\n${first.email}`;
  const items = await mailing(csv, person);
  const reasonOf = (address: string) =>
    items.filter((item) => item.address === address && item.reason).map(({ reason }) => reason);
  expect(second.email).not.toBe(first.email);
  expect(reasonOf("nora@example.org")).toEqual(reasonOf("uma@example.net"));
  expect(reasonOf("nora@example.org")).toEqual([expect.stringContaining("Ask the owner")]);
  expect(JSON.stringify(items)).not.toMatch(/this client|emailed|said so|other side/i);
  expect(reasonOf("zoe@example.net")).toEqual(["Stands on the list twice: one mail is enough."]);
  expect(reasonOf("none")).toEqual(["This is no email address: correct it in the list."]);
});
