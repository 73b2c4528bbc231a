// What the owner is told when somebody sends a form for enquiries: by the fallback service's call for forms.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { captureLead } from "@app/server/features/leads/lead-capture.service";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import { SystemMailModel } from "@app/server/features/mail/system-mail.model";
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { beforeEach, expect, test, vi } from "vitest";
import { anEnquiry } from "../support/access/leads-access.ts";
import { EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { freePort } from "../support/server/free-port.ts";
import { forAllTests, forEachTest, forgetAttempts, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const log = createLogger("silent");
const service = forAllTests(startService);
const app = forAllTests(() => startTestApp({ ...EMAILJS_SETTINGS, EMAILJS_HOST: service.url }));
settingsOfEachTest();
const practice = forEachTest(() => aPractice(app));
beforeEach(forgetAttempts);
beforeEach(() => {
  service.asked.length = 0;
  service.answers.status = 200;
});

interface Call {
  path: string;
  fields: [string, string][];
}

/** The fallback service on this machine: what it was asked for, and how it answers. */
async function startService() {
  const asked: Call[] = [];
  const answers = { status: 200 };
  const server = createServer((req, res) => {
    void readCall(req.url ?? "", req.headers["content-type"] ?? "", buffer(req)).then((call) => {
      asked.push(call);
      res.writeHead(answers.status).end(answers.status === 200 ? "OK" : "The service is down");
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { asked, answers, url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

async function readCall(path: string, type: string, body: Promise<Buffer>): Promise<Call> {
  const form = await new Response(new Uint8Array(await body), { headers: { "content-type": type } }).formData();
  return { path, fields: [...form].map(([name, value]) => [name, typeof value === "string" ? value : value.name]) };
}

async function aPlace(kind: "lead" | "questionnaire" = "lead") {
  const { maxLength: _none, ...asked } = aShortText("whole");
  const isLead = kind === "lead";
  const fields = [
    { ...asked, type: "name" as const, mapTo: isLead ? ("lead.name" as const) : null },
    { ...asked, id: "mail", type: "email" as const, mapTo: isLead ? ("lead.email" as const) : null },
    aShortText("about", { mapTo: isLead ? "lead.summary" : null }),
  ];
  const form = await aPublishedForm(practice, aFormContent([aFormPage("first", fields)]), { kind });
  return generalPlace(practice, form.id);
}
let count = 0;
const said = () => ({
  whole: { first: "Ida", last: "Quill" },
  mail: `ida.quill${++count}@example.org`,
  about: "Our two children",
});
const anArrival = () => ({
  channel: "form" as const,
  lead: anEnquiry({ email: said().mail }),
  attribution: NO_ATTRIBUTION,
  consent: "",
  flags: [],
  answers: null,
});
const mails = () => SystemMailModel.find({ owner_id: practice.ownerId }).lean();
const leads = async () => (await practice.api.leads.list.query({ state: "all" })).items;

test("a form for enquiries: when it is sent, its owner is told by the service's call for forms, once, and by no word who it was", async () => {
  await submit(aVisitor(app), await aPlace(), said());
  await Promise.all([settleLeads(log), settleLeads(log)]);
  await vi.waitFor(async () => expect(await mails()).toMatchObject([{ state: "sent" }]), { timeout: 15_000 });
  expect(service.asked.map(({ path }) => path)).toEqual(["/api/v1.0/email/send-form"]);
  const fields = Object.fromEntries(service.asked[0]?.fields ?? []);
  expect(Object.keys(fields).toSorted((a, b) => a.localeCompare(b))).toEqual(
    "from_email from_name lib_version message reply_to service_id subject template_id to_email to_name user_id".split(
      " ",
    ),
  );
  expect(fields).toMatchObject({
    lib_version: "4.4.1",
    user_id: "public-key",
    service_id: "service_office",
    template_id: "template_plain",
    to_email: practice.email,
    subject: expect.stringContaining("A new enquiry"),
    message: expect.stringMatching(/Answer by: .*\s+What they wrote is in .*\/leads$/),
  });
  expect(JSON.stringify(service.asked)).not.toMatch(/quill|children/i);
});

test("a form for enquiries: when the service is down, the enquiry is kept and answered all the same, and its mail is tried again", async () => {
  service.answers.status = 503;
  expect(await submit(aVisitor(app), await aPlace(), said())).toMatchObject({ state: "sent" });
  await settleLeads(log);
  await vi.waitFor(
    async () =>
      expect(await mails()).toMatchObject([
        { state: "queued", attempts: 1, reason: expect.stringContaining("The service is down") },
      ]),
    { timeout: 15_000 },
  );
  expect(await leads()).toHaveLength(1);
  expect((await practice.api.tasks.list.query({})).items).toHaveLength(1);
});

test("a form for enquiries: when many arrive at once, the owner gets ten mails and a task for each", async () => {
  for (let sent = 0; sent < 12; sent += 1) await captureLead(practice.ownerId, anArrival());
  await settleLeads(log);
  expect([(await mails()).length, (await leads()).length]).toEqual([10, 12]);
});

test("a form for enquiries: when a program drives its page, it is refused with 451 and nothing is kept; where the installation allows it, it is taken", async () => {
  const place = await aPlace();
  const program = aVisitor(app, { "x-webdriver": "true" });
  await expect(submit(program, place, said())).rejects.toMatchObject({ data: { httpStatus: 451 } });
  await settleLeads(log);
  // What an earlier practice was told may arrive only now.
  const asked = service.asked.filter(({ fields }) => Object.fromEntries(fields)["to_email"] === practice.email);
  expect([await leads(), await mails(), asked]).toEqual([[], [], []]);
  configure({ ...settings(), EMAILJS_BLOCK_HEADLESS: false });
  expect(await submit(program, place, said())).toMatchObject({ state: "sent" });
});

test("a form that asks clients: when a program drives its page, it is taken, because nothing leaves", async () => {
  const program = aVisitor(app, { "x-webdriver": "true" });
  expect(await submit(program, await aPlace("questionnaire"), said())).toMatchObject({ state: "sent" });
  expect(await mails()).toEqual([]);
});

test("a form for enquiries: where no fallback service is set up, the owner's task tells of it and no mail is made", async () => {
  configure({ ...settings(), EMAILJS_PUBLIC_KEY: "" });
  await submit(aVisitor(app), await aPlace(), said());
  await settleLeads(log);
  expect([(await leads()).length, await mails()]).toEqual([1, []]);
});
