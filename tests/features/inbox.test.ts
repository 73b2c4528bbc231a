import { newId } from "@app/server/core/ids";
import { closeConnections } from "@app/server/features/inbox/connections";
import { closeWatches, openWatches } from "@app/server/features/inbox/mail-watch";
import type { Permission } from "@app/shared/access";
import type { ClientMail } from "@app/shared/inbox";
import { PAGE_SIZE } from "@app/shared/product";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { openEventStream } from "../support/server/event-stream.ts";
import { aMail, aNestedMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import {
  aCase,
  aClient,
  aPractice,
  aStaffUser,
  clientFields,
  setPermissions,
  type TestPerson,
} from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

describe.skipIf(whyNoDovecot)("the mail of a client", () => {
  let email: string;
  let count = 0;
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  afterAll(() => {
    closeWatches();
    closeConnections();
  });
  beforeEach(async () => {
    email = `box${(count += 1)}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
  });

  const lay = (mails: (string | Buffer)[], folder = "INBOX") => layMails(dovecot, email, mails, { folder });
  const priya = () => practice.api.clients.create.mutate(aClient({ firstName: "Priya", email: "Priya@Example.org" }));
  const list = (clientId: string, fields: { search?: string; offset?: number } = {}, person: TestPerson = practice) =>
    person.api.inbox.list.query({ clientId, ...fields });
  const subjects = async (...args: Parameters<typeof list>) =>
    (await list(...args)).items.map(({ subject }) => subject);
  const placeOf = (clientId: string, { folder, uidValidity, uid }: ClientMail) => ({
    clientId,
    folder,
    uidValidity,
    uid,
  });
  const download = (path: string, place: object, person: TestPerson = practice) =>
    fetch(`${app.url}/export/mail/${path}?place=${encodeURIComponent(JSON.stringify(place))}`, {
      headers: { cookie: person.cookies() },
    });

  test("list: what they wrote and what was sent to them stand together, the newest first", async () => {
    const client = await priya();
    await lay([aMail({ subject: "First" })]);
    await lay([aMail({ from: `Ines <${email}>`, to: "priya@example.org", subject: "Answer" })], "Sent");
    await lay([aMail({ subject: "Second" })]);
    const page = await list(client.id);
    expect(page).toMatchObject({ state: "ready", problem: "", mailbox: email, hasOlder: false });
    expect(page.items.map(({ subject, isFromUs }) => [subject, isFromUs])).toEqual([
      ["Second", false],
      ["Answer", true],
      ["First", false],
    ]);
  });

  test("S73: an address that somebody enters opens nothing of a mailbox that they may not read, and a hidden case nothing at all", async () => {
    const permissions: Permission[] = ["clients.read", "clients.write", "mail.read", "mail.send"];
    const person = await aStaffUser(app, practice, { permissions });
    await lay([aMail({ from: "noreply@bank.example.net", subject: "Your code is 123456" })]);
    const added = await person.api.clients.create.mutate(aClient({ email: "NoReply+1@bank.example.net" }));
    expect(await subjects(added.id, {}, person)).toEqual([]);
    await person.api.clients.update.mutate({
      id: added.id,
      version: added.version,
      client: clientFields({ email: "noreply@bank.example.net" }),
    });
    expect(await subjects(added.id, {}, person)).toEqual([]);
    expect(await subjects(added.id)).toEqual(["Your code is 123456"]);
    const known = await practice.api.clients.create.mutate(aClient({ email: "noreply@bank.example.net" }));
    expect(await subjects(known.id, {}, person)).toEqual(["Your code is 123456"]);

    const { first } = await aCase(practice);
    await lay([aMail({ from: first.email, subject: "Of a hidden case" })]);
    await setPermissions(practice, person, [...permissions, "assigned_only"]);
    const twin = await person.api.clients.create.mutate(aClient({ email: first.email }));
    expect(await list(twin.id, {}, person)).toMatchObject({ items: [], state: "no_address" });
  });

  test("S77: a mail of a thousand levels, when it lies among others, is listed with them, and opening it says what to do", async () => {
    const client = await priya();
    await lay([
      aMail({ subject: "First" }),
      aNestedMail({ levels: 1000, from: "priya@example.org" }),
      aMail({ subject: "Last" }),
    ]);
    const { items } = await list(client.id);
    const unreadable = "This message cannot be shown here. Open it in your mail program.";
    expect(items.map(({ subject, preview }) => [subject, preview])).toEqual([
      ["Last", "Can we meet later?"],
      ["Many levels", unreadable],
      ["First", "Can we meet later?"],
    ]);
    const [, nested] = items;
    if (!nested) throw new Error("the mail is not listed");
    const opening = practice.api.inbox.open.query(placeOf(client.id, nested));
    expect(await refusal(opening)).toMatchObject({ code: "PRECONDITION_FAILED", message: unreadable });
  });

  test("list: longer lists are paged, and a search narrows them", async () => {
    const client = await priya();
    await lay(Array.from({ length: 30 }, (_, index) => aMail({ subject: `Mail ${index}`, text: `Word${index % 2}` })));
    const first = await list(client.id);
    expect([first.items.length, first.hasOlder]).toEqual([PAGE_SIZE, true]);
    expect(await subjects(client.id, { offset: 25 })).toEqual(["Mail 4", "Mail 3", "Mail 2", "Mail 1", "Mail 0"]);
    expect(await subjects(client.id, { search: "Mail 29" })).toEqual(["Mail 29"]);
    expect((await subjects(client.id, { search: "Word1" })).length).toBe(15);
  });

  test("list: mail of one party never stands with the other, mail to both stands with both", async () => {
    const { first, second } = await aCase(practice);
    const pool = [first.email, second.email, `x${first.email}`, `${second.email}.uk`, "other@example.org"];
    const mails = fc.sample(
      fc.record({
        from: fc.constantFrom(...pool),
        to: fc.subarray(pool, { minLength: 1 }),
        cc: fc.subarray(pool),
        subject: fc.constantFrom(`about ${first.email}`, `about ${second.email}`, "plain"),
      }),
      { numRuns: 40, seed: 7 },
    );
    await lay(
      mails.map(({ from, to, cc, subject }, index) =>
        aMail({
          from,
          to: to.join(", "),
          subject: `${index} ${subject}`,
          text: `${first.email} ${second.email}`,
          headers: cc.length > 0 ? [`Cc: ${cc.join(", ")}`] : [],
        }),
      ),
    );
    for (const { id, email: address } of [first, second]) {
      const own = mails.flatMap(({ from, to, cc, subject }, index) =>
        [from, ...to, ...cc].includes(address) ? [`${index} ${subject}`] : [],
      );
      const pages = await Promise.all([0, PAGE_SIZE].map((offset) => subjects(id, { offset })));
      expect(pages.flat().toSorted()).toEqual(own.toSorted());
    }
  });

  test("open: a mail of the other party cannot be opened, shown, downloaded or filed by its place", async () => {
    const { first, second } = await aCase(practice);
    await lay([aMail({ from: second.email, headers: ["Content-Type: text/html"], text: "<p>Only Owen</p>" })]);
    const [mail] = (await list(second.id)).items;
    if (!mail) throw new Error("the mail is missing");
    const stolen = placeOf(first.id, mail);
    const filed = { ...stolen, part: "1", name: "a.txt", caseId: null, visibility: PRACTICE_ONLY };
    await expect(practice.api.inbox.open.query(stolen)).rejects.toThrow("Mail not found");
    await expect(practice.api.inbox.fileAttachment.mutate({ id: newId(), ...filed })).rejects.toThrow("Mail not found");
    expect((await download("message", stolen)).status).toBe(404);
    expect((await download("attachment", { ...stolen, part: "1" })).status).toBe(404);
    expect((await practice.api.inbox.open.query(placeOf(second.id, mail))).text).toContain("Only Owen");
    await expect(practice.api.inbox.open.query({ ...placeOf(second.id, mail), uidValidity: "1" })).rejects.toThrow();
    await expect(practice.api.inbox.open.query({ ...placeOf(second.id, mail), folder: "Trash" })).rejects.toThrow();
  });

  test("open: staff with assigned cases only see no mail of others, and without the permission none at all", async () => {
    const client = await priya();
    const narrow = await aStaffUser(app, practice, { permissions: ["mail.read", "clients.read", "assigned_only"] });
    const none = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    const reader = await aStaffUser(app, practice, { permissions: ["mail.read", "clients.read"] });
    await lay([aMail({ subject: "Secret" })]);
    await expect(list(client.id, {}, narrow)).rejects.toThrow("Client not found");
    await expect(list(client.id, {}, none)).rejects.toThrow("permission");
    expect(await subjects(client.id, {}, reader)).toEqual(["Secret"]);
  });

  test("list: whoever has a mailbox of their own reads that one, another practice reads nothing", async () => {
    const client = await priya();
    await lay([aMail({ subject: "To the practice" })]);
    const staff = await aStaffUser(app, practice, { permissions: ["mail.read", "clients.read"] });
    const { user } = await staff.api.auth.status.query();
    const own = `own${count}@practice.example.org`;
    await connectMailbox(user?.userId ?? "", { email: own, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    await layMails(dovecot, own, [aMail({ subject: "To Tom" })]);
    expect(await subjects(client.id, {}, staff)).toEqual(["To Tom"]);
    await expect(list(client.id, {}, await aPractice(app))).rejects.toThrow("Client not found");
  });

  test("list: no mailbox, no address and a mailbox that fails are told apart, in words", async () => {
    const other = await aPractice(app);
    const client = await other.api.clients.create.mutate(aClient());
    expect(await list(client.id, {}, other)).toMatchObject({ state: "no_mailbox", items: [] });
    await connectMailbox(other.ownerId, { email: "gone@example.org", smtpPort: 1, imapPort: 1 });
    const failing = await list(client.id, {}, other);
    expect(failing).toMatchObject({ state: "failing", items: [] });
    expect(failing.problem).toMatch(/\.$/);
    const nameless = await practice.api.clients.create.mutate(aClient({ email: "" }));
    expect(await list(nameless.id)).toMatchObject({ state: "no_address" });
  });

  test("open: HTML comes without anything that runs or loads, with pictures of its own, and others only when asked", async () => {
    const client = await priya();
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await lay([
      aMail({
        headers: ['Content-Type: multipart/related; boundary="r"'],
        text: [
          '--r\nContent-Type: text/html; charset=utf-8\n\n<p onclick="x()" style="color:red;background:url(https://t.example/1)">Héllo</p><img src="cid:pic@x"><img src="https://t.example/p.gif" alt="a <dot>"><script>x()</script><a href="javascript:x()">j</a><a href="https://ok.example/">ok</a>',
          `--r\nContent-Type: image/png\nContent-ID: <pic@x>\nContent-Transfer-Encoding: base64\n\n${png}\n--r--`,
        ].join("\n"),
      }),
    ]);
    const [mail] = (await list(client.id)).items;
    if (!mail) throw new Error("the mail is missing");
    const place = placeOf(client.id, mail);
    expect(await practice.api.inbox.open.query(place)).toMatchObject({
      isHtml: true,
      hasRemoteImages: true,
      isCut: false,
    });
    const shown = await download("message", place);
    const html = await shown.text();
    expect(html).toContain(`<p style="color:red">Héllo</p><img src="data:image/png;base64,${png}" />`);
    expect(html).toContain('<a href="https://ok.example/" target="_blank" rel="noopener noreferrer">ok</a>');
    expect(html).toContain("<span>[a &lt;dot&gt;]</span>");
    expect(html).not.toMatch(/script|onclick|t\.example|javascript/i);
    expect(shown.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; img-src data:; .*sandbox allow-popups/,
    );
    const asked = await fetch(`${shown.url}&images=true`, { headers: { cookie: practice.cookies() } });
    expect(await asked.text()).toContain('src="https://t.example/p.gif"');
  });

  test.each([
    ["an emoji", "😀"],
    ["a letter with its accent", "e\u0301"],
  ])(
    "attachment: where %s stands at the end of what fits, its name is whole, and it downloads",
    async (_what, sign) => {
      const client = await priya();
      const name = `${"n".repeat(199)}${sign}.txt`;
      const encoded = `=?UTF-8?B?${Buffer.from(name).toString("base64")}?=`;
      await lay([
        aMail({
          headers: ['Content-Type: multipart/mixed; boundary="r"'],
          text: `--r\nContent-Type: text/plain\n\nx\n--r\nContent-Type: text/plain; name="${encoded}"\nContent-Disposition: attachment\n\nwords\n--r--`,
        }),
      ]);
      const [mail] = (await list(client.id)).items;
      if (!mail) throw new Error("the mail is missing");
      expect(mail.attachments.map((attachment) => attachment.name)).toEqual(["n".repeat(199)]);
      const answer = await download("attachment", { ...placeOf(client.id, mail), part: "2" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-disposition")).toBe(`attachment; filename=${"n".repeat(199)}`);
      expect((await answer.text()).trim()).toBe("words");
    },
  );

  test("attachment: it is downloaded as it was sent, byte for byte, and never shown by the browser", async () => {
    const client = await priya();
    const bytes = Buffer.from(Array.from({ length: 1_700_003 }, (_, index) => (index * 7919) % 251));
    const encoded = bytes.toString("base64").replace(/.{76}/g, "$&\n");
    await lay([
      aMail({
        headers: ['Content-Type: multipart/mixed; boundary="r"'],
        text: [
          "--r\nContent-Type: text/plain\n\nSee attached",
          `--r\nContent-Type: text/html; name="=?UTF-8?Q?B=C3=BCro.html?="\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n${encoded}`,
          "--r\nContent-Type: text/csv; name=q.csv\nContent-Disposition: attachment\nContent-Transfer-Encoding: quoted-printable\n\na=3Db=\n,=C3=A9\n--r--",
        ].join("\n"),
      }),
    ]);
    const [mail] = (await list(client.id)).items;
    if (!mail) throw new Error("the mail is missing");
    expect(mail.attachments.map(({ name, part }) => [name, part])).toEqual([
      ["Büro.html", "2"],
      ["q.csv", "3"],
    ]);
    const place = placeOf(client.id, mail);
    const answer = await download("attachment", { ...place, part: "2" });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename=\"B?ro.html\"; filename*=UTF-8''B%C3%BCro.html",
      "x-content-type-options": "nosniff",
    });
    expect((await (await download("attachment", { ...place, part: "3" })).text()).trim()).toBe("a=b,é");
    expect((await download("attachment", { ...place, part: "9" })).status).toBe(404);
    expect((await download("attachment", { ...place, part: "x" })).status).toBe(400);

    const third = { ...place, part: "3", name: "q.csv", caseId: null, visibility: PRACTICE_ONLY };
    const file = await practice.api.inbox.fileAttachment.mutate({ id: newId(), ...third });
    expect(file).toMatchObject({ name: "q.csv", clientId: client.id, visibility: PRACTICE_ONLY });
    const stored = await fetch(`${app.url}/files/${file.id}`, { headers: { cookie: practice.cookies() } });
    expect((await stored.text()).trim()).toBe("a=b,é");
    const reader = await aStaffUser(app, practice, { permissions: ["mail.read", "clients.read"] });
    await expect(reader.api.inbox.fileAttachment.mutate({ id: newId(), ...third })).rejects.toThrow(
      "You do not have permission",
    );
  });

  test("onNews: mail that arrives is announced to everybody who looks, over one connection", async () => {
    await lay([aMail()]);
    const first = await openEventStream(app, practice, "inbox.onNews");
    const second = await openEventStream(app, practice, "inbox.onNews");
    await first.next({ count: 0 });
    await expect.poll(openWatches).toBe(1);
    await lay([aMail()]);
    await first.next({ count: 1 });
    await second.next({ count: 1 });
    first.close();
    second.close();
    closeWatches();
    expect(openWatches()).toBe(0);
  });
});
