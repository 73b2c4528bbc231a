// A public page that a program drives, where what it submits would leave by the fallback service.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { configure, type Settings, settings } from "@app/server/core/settings";
import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { beforeEach, expect, test, vi } from "vitest";
import { EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { freePort } from "../support/server/free-port.ts";
import { forAllTests, forEachTest, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const smtp = anSmtpForAll({ authOptional: true });
const service = forAllTests(startService);
const app = forAllTests(() => startTestApp({ ...EMAILJS_SETTINGS, EMAILJS_HOST: service.url }));
settingsOfEachTest();
const practice = forEachTest(() => aPractice(app));
beforeEach(() => void (service.asked.length = 0));

/** The fallback service on this machine, and what it was asked for. */
async function startService() {
  const asked: { path: string; to: unknown }[] = [];
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      asked.push({ path: req.url ?? "", to: JSON.parse(body).template_params.to_email });
      res.end("OK");
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { asked, url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

const ENTERED = {
  firstName: "Nora",
  lastName: "Vale",
  email: "nora@valebridge.example.org",
  practiceName: "Valebridge",
  region: "england_wales" as const,
  mediatorType: "family" as const,
};
const HEADLESS = { "x-webdriver": "true" };
const AGENT = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0.0.0" };

const askForLink = (headers: Record<string, string>) =>
  aVisitor(app, headers).api.auth.requestPasswordReset.mutate({ email: practice.email });
const mails = () => mongoose.connection.collection("system_mails").countDocuments();

test.each<[string, (person: TestPerson) => Promise<unknown>]>([
  ["auth.requestPasswordReset", ({ api }) => api.auth.requestPasswordReset.mutate({ email: practice.email })],
  ["auth.register", ({ api }) => api.auth.register.mutate(ENTERED)],
  [
    "auth.resetPassword",
    ({ api }) => api.auth.resetPassword.mutate({ token: newId(), password: "velvet compass orchard tin" }),
  ],
])(
  "%s: when a program drives the page, then it is refused with 451 and nothing is stored or sent",
  async (_path, submit) => {
    const before = await mails();
    for (const headers of [HEADLESS, AGENT])
      await expect(submit(aVisitor(app, headers))).rejects.toMatchObject({
        message: "Unavailable For Headless Browser",
        data: { httpStatus: 451 },
      });
    expect([await mails(), service.asked]).toEqual([before, []]);
  },
);

test.each<[string, Record<string, string>, () => Partial<Settings>]>([
  ["a person's", {}, () => ({})],
  ["driven by a program where the installation allows that", HEADLESS, () => ({ EMAILJS_BLOCK_HEADLESS: false })],
])(
  "auth.requestPasswordReset: when the page is %s, then its mail leaves by the service",
  async (_what, headers, set) => {
    configure({ ...settings(), ...set() });
    await askForLink(headers);
    await vi.waitFor(() => expect(service.asked).toHaveLength(1), { timeout: 10_000 });
    expect(service.asked).toEqual([{ path: "/api/v1.0/email/send", to: practice.email }]);
  },
);

test("auth.requestPasswordReset: when the installation has a mail server of its own, then whoever drives the page gets the mail by that", async () => {
  configure({ ...settings(), SYSTEM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
  await askForLink(HEADLESS);
  await vi.waitFor(() => expect(smtp.received).toHaveLength(1), { timeout: 10_000 });
  expect([smtp.received[0]?.to, service.asked]).toEqual([[practice.email], []]);
});
