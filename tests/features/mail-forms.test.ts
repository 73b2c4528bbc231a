// A form of a page: whatever its template makes of its fields, nothing of one party comes to another by it.
import { newId } from "@app/server/core/ids";
import { configure, settings } from "@app/server/core/settings";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { HttpResponse } from "msw";
import { describe, expect, test } from "vitest";
import { EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aCase, aClient, aPractice, aStaffUser, type TestPerson, type TestPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll } from "../support/mail/mail-for-tests.ts";

const network = aMailNetworkForAll();
const app = forAllTests(() => startTestApp(EMAILJS_SETTINGS));
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));

type Field = [name: string, value: string | File];

async function sendForm(fields: Field[], key?: string, sender: TestPerson = practice) {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  const response = await fetch(`${app.url}/functions/send-form`, {
    method: "POST",
    headers: { origin: app.url, cookie: sender.cookies(), ...(key ? { "idempotency-key": key } : {}) },
    body,
  });
  return { status: response.status, answer: await response.text() };
}

/** To the first party, with one thing more. */
const withField = (...field: Field) => sendForm([["to_email", built.first.email], ["message", "Hello"], field]);
const mailsOf = async (clientId: string) => (await practice.api.outbox.list.query({ clientId, page: 1 })).items;
const asText = (text: string | Buffer, name = "a.txt") => new File([new Uint8Array(Buffer.from(text))], name);

test.each([
  ["of 500 fields", 498, 200],
  ["of more", 499, 400],
  ["of very many", 8000, 400],
])("S74: a form %s, when it is sent, is answered by how many fields a page may have", async (_what, more, status) => {
  const fields = Array.from({ length: more }, (_, index): Field => [`f${index}`, ""]);
  const sent = await sendForm([["to_email", built.first.email], ["message", "Hello"], ...fields]);
  expect(sent.status).toBe(status);
  if (status === 400) expect(sent.answer).toContain("at most 500 fields");
});

describe("the other party's address", () => {
  test.each(["x", "To_Email", "reply_to", "from_email", "from_name", "to_name", "subject", "message", "cc"])(
    "S67 S68: in the field %s, when the form is sent, stops it",
    async (field) => {
      expect(await withField(field, built.second.email)).toMatchObject({ status: 409 });
      expect(network.asked).toEqual([]);
    },
  );

  test.each<[string, (local: string, domain: string) => string]>([
    ["in quotes", (local, domain) => `"${local}"@${domain}`],
    ["with a comment", (local, domain) => `${local}(c)@${domain}`],
    ["with a comment behind the sign", (local, domain) => `${local}@(c)${domain}`],
    ["with a comment at the end", (local, domain) => `${local}@${domain}(c)`],
    ["with a sign of full width", (local, domain) => `${local}＠${domain}`],
    ["with a small sign", (local, domain) => `${local}﹫${domain}`],
    ["with room around the sign", (local, domain) => `${local} @ ${domain}`],
    ["with room behind it", (local, domain) => `${local}@ ${domain}`],
    ["with a sign that nobody sees", (local, domain) => `${local}\u00AD@${domain}`],
    ["as an encoded word", (local, domain) => `=?utf-8?q?${local}?=@${domain}`],
    ["as an encoded word whole", (local, domain) => `=?utf-8?q?${local}=40${domain}?=`],
    ["by another server", (local, domain) => `${local}%${domain}@relay.example.org`],
    ["with a route", (local, domain) => `<@relay.example.org:${local}@${domain}>`],
    ["in a group", (local, domain) => `all:${local}@${domain};`],
    ["in angles", (local, domain) => `Owen <${local}@${domain}>`],
    ["with a tag", (local, domain) => `${local}+x@${domain.toUpperCase()}`],
    ["as a link", (local, domain) => `mailto:${local}@${domain}?subject=x`],
    ["after another", (local, domain) => `a@b.example.org,${local}@${domain}`],
    ["behind much else", (local, domain) => `${"a ".repeat(5001)}${local}@${domain}`],
    ["behind too much", (local, domain) => `${" ".repeat(60_000)}${local}@${domain}`],
  ])("S67 S68: written %s, when the form is sent, stops it in words", async (_how, write) => {
    const [local = "", domain = ""] = built.second.email.split("@");
    const { status, answer } = await withField("x", write(local, domain));
    expect(status).toBe(409);
    expect(answer).toMatch(/looks like an address|different parties|too long to be checked/);
    expect(network.asked).toEqual([]);
  });

  test.each<[string, (local: string, domain: string) => [string, string]]>([
    ["as they are", (local, domain) => [local, domain]],
    ["the first with the sign", (local, domain) => [`${local}@`, domain]],
    ["the second with the sign", (local, domain) => [local, `@${domain}`]],
    ["in capitals, with blanks", (local, domain) => [` ${local.toUpperCase()}`, `${domain.toUpperCase()} `]],
    ["with a tag", (local, domain) => [`${local}+x`, domain]],
  ])("S67 S68: in two fields, %s, when the form is sent, stops it", async (_how, write) => {
    const [local = "", domain = ""] = built.second.email.split("@");
    const [name, server] = write(local, domain);
    const form = (last: string): Field[] => [
      ["to_email", built.first.email],
      ["to_name", name],
      ["to_domain", last],
    ];
    expect(await sendForm(form(server))).toMatchObject({ status: 409 });
    expect(network.asked).toEqual([]);
    expect(await sendForm(form("www.elsewhere.example"))).toMatchObject({ status: 200 });
  });

  test("S74: in two fields among hundreds, when the form is sent, nobody waits for it", async () => {
    const fields = Array.from({ length: 240 }, (_, at): Field[] => [
      [`n${at}`, `n${at}`],
      [`d${at}`, `d${at}.example`],
    ]);
    const startedAt = performance.now();
    const { status, answer } = await sendForm([["to_email", built.first.email], ...fields.flat()]);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect([status, answer]).toEqual([409, expect.stringContaining("too many fields with the name of a server")]);
  });

  test.each<[string, (address: string) => File]>([
    ["as its text", (address) => asText(address)],
    ["as its text in UTF-16", (address) => asText(Buffer.from(`\uFEFF${address}`, "utf16le"))],
    ["as its name", (address) => asText("x", address)],
  ])("S67 S68: in a file, %s, when the form is sent, stops it", async (_how, file) => {
    expect(await withField("x", file(built.second.email))).toMatchObject({ status: 409 });
    expect(network.asked).toEqual([]);
  });
});

test.each<[string, string | File]>([
  ["an address of nobody here", "ask me at zoe@example.net."],
  ["a time", "See you @ 5, or @ 3.50 each"],
  ["a name elsewhere", "@heron"],
  ["a picture", new File([new Uint8Array([0x89, 0x50, 0x40, 0x61, 0, 0x40, 0xff])], "a.png")],
])("S67: with %s, when the form is sent, it leaves", async (_what, value) => {
  expect(await withField("x", value)).toMatchObject({ status: 200 });
  expect(network.asked).toHaveLength(1);
});

test.each([
  "template_id ",
  " Service_ID",
  "user_id[]",
  "accessToken [] ",
  "lib_version[0]",
  "ｔemplate_id",
  "service_id\t",
])("S67: with the field %j, whose name is the service's, when the form is sent, it leaves without it", async (name) => {
  expect(await withField(name, "another")).toMatchObject({ status: 200 });
  expect(network.asked).toHaveLength(1);
  expect(network.asked[0]?.text).not.toContain("another");
});

test.each([
  ["question marks before a sign", `a@b${"?".repeat(49_000)}@`],
  ["question marks behind an address", `a@b.example.org${"?".repeat(49_000)}`],
  ["stops before a letter", `a@b${".".repeat(49_000)}a`],
  ["signs only", "@".repeat(49_000)],
  ["quotes before an address", `${'"'.repeat(49_000)}a@b`],
  ["links before an address", `${"mailto:".repeat(7000)}@`],
  ["parts of encoded words", "=?a".repeat(16_000)],
])("S68: with many %s, when the form is sent, nobody waits for it", async (_what, text) => {
  const startedAt = performance.now();
  await withField("x", text);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test("S68: an address of somebody who may not be emailed, in any field, stops the form", async () => {
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
  await practice.api.clients.create.mutate(aClient({ email: "nora@example.org", safeContact }));
  for (const field of ["x", "reply_to", "message"])
    expect(await withField(field, "nora@example.org")).toMatchObject({ status: 409 });
  expect(network.asked).toEqual([]);
});

test("S68: a form for somebody who must be reached discreetly, when it is sent, is refused with what to do", async () => {
  const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "harbour" };
  await practice.api.clients.create.mutate(aClient({ email: "rita@example.org", safeContact }));
  for (const fields of [
    [["to_email", "rita@example.org"]],
    [
      ["to_email", "rita+x@example.org"],
      ["title", "Mediation at Heron"],
    ],
    [
      ["to_email", "zoe@example.net"],
      ["x", "rita@example.org"],
    ],
  ] satisfies Field[][]) {
    const { status, answer } = await sendForm(fields);
    expect([status, answer]).toEqual([409, expect.stringContaining("reached discreetly")]);
  }
  expect(network.asked).toEqual([]);
});

/** Invited while no mail leaves: then the link is the owner's to hand over. */
async function aCaseworker(owner: TestPractice): Promise<TestPerson> {
  const before = settings();
  configure({ ...before, EMAILJS_PUBLIC_KEY: "" });
  const person = await aStaffUser(app, owner, { permissions: ["mail.send", "clients.read"] });
  configure(before);
  return person;
}

const SPEAKING = ["from_name", "From_Name", "from_email", " reply_to", "reply_to[]", "ｆrom_name"];

test.each<[string, (owner: TestPractice) => Promise<TestPerson>]>([
  ["the owner", (owner) => Promise.resolve(owner)],
  ["a caseworker", aCaseworker],
])(
  "S73: a form that says who speaks, when %s sends it, bears the owner's address, goes back to its sender and has no mark of the product",
  async (_who, writerOf) => {
    const writer = await writerOf(practice);
    network.reset();
    const fields: Field[] = [
      ["to_email", "victim@example.net"],
      ["constructor", "kept"],
      ["subject", "[Evenhand] Choose a new password"],
      ["Subject[]", "[Evenhand] Choose a new password"],
      ...SPEAKING.map((name): Field => [name, "Evenhand help@foreign.example"]),
      ["from_name", asText("Evenhand help@foreign.example", "Evenhand.txt")],
    ];
    expect(await sendForm(fields, undefined, writer)).toMatchObject({ status: 200 });
    const [asked] = network.asked;
    const headers = { "content-type": asked?.headers.get("content-type") ?? "" };
    const sent = await new Response(asked?.text, { headers }).formData();
    expect([...sent].filter(([name]) => !/^(lib_version|service_id|template_id|user_id)$/.test(name))).toEqual([
      ["to_email", "victim@example.net"],
      ["constructor", "kept"],
      ["from_email", writer.email],
      ["reply_to", writer.email],
      ["from_name", `${practice.practiceName} (${practice.email}) via Evenhand`],
      ["subject", "(Evenhand) Choose a new password"],
    ]);
  },
);

test("S75: many forms of one person, when they keep on, are paced, and a colleague's still leaves", async () => {
  const colleague = await aCaseworker(practice);
  network.reset();
  const many = await Promise.all(Array.from({ length: 25 }, () => sendForm([["to_email", "zoe@example.net"]])));
  expect(many.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(many.filter(({ status }) => status === 429)).toHaveLength(5);
  expect(network.asked).toHaveLength(20);
  expect(await sendForm([["to_email", "zoe@example.net"]], undefined, colleague)).toMatchObject({ status: 200 });
}, 90_000);

test("S76: a form under one Idempotency-Key, sent five times at once and later again, leaves once and answers the same", async () => {
  const key = newId();
  const fields: Field[] = [
    ["to_email", built.first.email],
    ["message", "Hello"],
    ["letter", asText("PDF", "letter.pdf")],
  ];
  const answers = await Promise.all(Array.from({ length: 5 }, () => sendForm(fields, key)));
  for (const answer of [...answers, await sendForm(fields, key)])
    expect(answer).toEqual({ status: 200, answer: '{"success":true}' });
  expect(network.asked).toHaveLength(1);
  expect(await sendForm([...fields, ["x", "y"]], key)).toMatchObject({ status: 409 });
  expect(await mailsOf(built.first.id)).toHaveLength(1);
});

test("S68: a form that left, when its client's page is opened, stands there like every other mail", async () => {
  await sendForm([
    ["to_email", built.first.email],
    ["subject", "Your\r\nform"],
    ["message", "Hello Priya"],
    ["phone", "07700 900142"],
    ["letter", asText("PDF", "letter.pdf")],
  ]);
  const expected = { state: "sent", to: built.first.email, subject: "Your form", method: "EmailJS" };
  const [mail] = await mailsOf(built.first.id);
  expect(mail).toMatchObject({ ...expected, cc: [], attachmentNames: ["letter.pdf"] });
  expect(mail?.text).toBe("Hello Priya\n\nphone: 07700 900142");
});

test("S68: a form that the service refused, when its client's page is opened, stands there with the reason", async () => {
  network.answers.emailJs = () => new HttpResponse("The template is gone", { status: 400 });
  expect(await sendForm([["to_email", built.first.email]])).toMatchObject({ status: 400 });
  expect(await mailsOf(built.first.id)).toMatchObject([{ state: "failed", reason: "The template is gone" }]);
});

test("S76: a form whose answer never came, when it is sent again, is answered 504 and not sent twice", async () => {
  network.answers.emailJs = () => HttpResponse.error();
  const key = newId();
  const statuses = [
    (await sendForm([["to_email", built.first.email]], key)).status,
    (await sendForm([["to_email", built.first.email]], key)).status,
  ];
  expect(statuses).toEqual([504, 504]);
  expect(network.asked).toHaveLength(1);
});

test("S68: what a form says in the service's own names, when it is relayed, does not go on", async () => {
  await sendForm([
    ["to_email", built.first.email],
    ["accessToken", "stolen"],
    ["AccessToken", "stolen"],
    ["lib_version", "0"],
  ]);
  const [asked] = network.asked;
  expect(asked?.text).not.toMatch(/stolen/);
  expect(asked?.text).toMatch(/4\.4\.1/);
});
