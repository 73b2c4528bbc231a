// What leaves a case to somebody who is neither a party of it nor represents one, by every way out.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { storeFile } from "@app/server/features/files/files.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf, sealContent } from "@app/server/features/outbox/outbox.service";
import type { MailDraft } from "@app/shared/mail-check";
import { PRIVILEGES } from "@app/shared/privileges";
import { caucusOf, forParty, SHARED } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aMailNetworkForAll } from "../support/mail/mail-for-tests.ts";
import { EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { scopeOf } from "../support/server/people.ts";
import { aSignedCase, SIGNED_ON } from "../support/server/signed.ts";

const MINUTE_MS = 60_000;
const COURT = "registry@court.example.org";
const EMPLOYER = "hr@acme.example.org";
const log = createLogger("silent");
aMailNetworkForAll();
const { smtp, app, practice } = aSendingPractice(EMAILJS_SETTINGS);
const built = forEachTest(() => aSignedCase(practice, "kept", { domain: "workplace" }));

const aFile = (content: string, privilege: (typeof PRIVILEGES)[number] = "none", visibility = SHARED) =>
  storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(content)]), {
    clientId: null,
    caseId: built.theCase.id,
    name: "minutes.txt",
    visibility,
    mark: { privilege, isFinancial: false },
  });

const aDraft = (overrides: Partial<MailDraft>): MailDraft =>
  aLetterTo(built.first.email, {
    clientId: built.first.id,
    caseId: built.theCase.id,
    saysNothingTo: [],
    ...overrides,
  });
const at = (address: string) => ({ name: "", address });
const check = (draft: MailDraft) => practice.api.compose.check.mutate(draft);
const codesOf = async (draft: MailDraft) => (await check(draft)).problems.map(({ code }) => code);
const send = (draft: MailDraft) => practice.api.compose.send.mutate({ id: newId(), ...draft, sendAt: null });

async function deliver() {
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
}

/** The employer sends both, and pays for both. */
async function anEmployer(): Promise<void> {
  const { id: payerContactId } = await practice.api.contacts.create.mutate(
    aContact({ email: EMPLOYER, roles: ["employer_hr"] }),
  );
  const { id, version, parties } = await practice.api.cases.get.query({ id: built.theCase.id });
  await practice.api.casework.setFunding.mutate({
    id,
    version,
    parties: parties.map(({ partyId }) => ({
      partyId,
      funding: { type: "employer", shareBp: 5000, payerContactId },
    })),
  });
}

async function ordered(fileIds: string[], to: string): Promise<void> {
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  await practice.api.casework.recordDisclosure.mutate({
    id,
    version,
    disclosureId: newId(),
    what: "The minutes",
    fileIds,
    to: [to],
    hasReport: false,
    ground: { kind: "order", on: SIGNED_ON, reference: "County Court, A1" },
  });
}

async function solicitorOf(partyId: string, email: string): Promise<void> {
  const { id } = await practice.api.contacts.create.mutate(aContact({ email }));
  const link = { changeId: newId(), id, caseId: built.theCase.id, role: "solicitor" as const, partyId };
  await practice.api.contacts.link.mutate(link);
}

const base64 = (content: string) => Buffer.from(content).toString("base64");

describe("files of a case", () => {
  test.each(PRIVILEGES)(
    "compose: a file marked %s, when the employer who pays for all gets it, then it goes only where it was ordered",
    async (privilege) => {
      await anEmployer();
      const { id } = await aFile(newId(), privilege);
      const draft = aDraft({ to: [at(EMPLOYER)], fileIds: [id], saysNothingTo: [EMPLOYER] });
      expect(await codesOf(draft)).toEqual(["outsider"]);
      expect(await refusal(send(draft))).toMatchObject({ code: "BAD_REQUEST" });
      await ordered([id], EMPLOYER);
      expect(await codesOf(draft)).toEqual([]);
    },
  );

  test("compose: a file of a case, when a party and their solicitor get it, then it goes, and nothing is to be confirmed", async () => {
    await solicitorOf(built.p1.partyId, "own@law.example.org");
    const file = await aFile(newId());
    const found = await check(aDraft({ cc: [at("own@law.example.org")], fileIds: [file.id] }));
    expect(found).toMatchObject({ problems: [], outside: [] });
  });

  test("imap-send: what is a file of a case, when another program sends it outside the case, then it is refused; a party gets it, and so does whoever an order names", async () => {
    const { id } = await aFile("What was said on Tuesday");
    const byFunction = (to: string, content: string) => {
      const file = { mimeType: "text/plain", name: "a.txt", content: Buffer.from(content).toString("base64") };
      return sendByFunction(app, practice, INES, { to: [to], attachments: [file] });
    };
    const refused = await byFunction(COURT, "What was said on Tuesday");
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("it belongs to a case");
    expect(smtp.received).toEqual([]);
    expect((await byFunction(COURT, "A leaflet")).status).toBe(200);
    expect((await byFunction(built.first.email, "What was said on Tuesday")).status).toBe(200);
    await ordered([id], COURT);
    expect((await byFunction(COURT, "What was said on Tuesday")).status).toBe(200);
  });

  test.each([
    ["before it came into the case", false],
    ["after a case had it", true],
  ])(
    "imap-send: what is kept with a client too, when that was %s, is refused to others",
    async (_when, isCaseFirst) => {
      const withClient = () =>
        storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from("Our leaflet")]), {
          clientId: built.first.id,
          caseId: null,
          name: "leaflet.txt",
          visibility: SHARED,
        });
      const inCase = () => aFile("Our leaflet", "none", forParty(built.p1.partyId));
      const [first, then] = isCaseFirst ? [inCase, withClient] : [withClient, inCase];
      await first();
      moveTime(1000);
      await then();
      const file = { mimeType: "text/plain", name: "a.txt", content: Buffer.from("Our leaflet").toString("base64") };
      const sent = await sendByFunction(app, practice, INES, { to: [COURT], attachments: [file] });
      expect(sent.status).toBe(409);
    },
  );

  test.each([
    ["as a file", (content: string) => new File([content], "a.txt")],
    ["in a field", (content: string) => `data:text/plain;base64,${base64(content)}`],
    ["in a field, written large", (content: string) => `DATA:text/plain;BASE64,${base64(content)}`],
    ["in a field behind blanks", (content: string) => ` \r\n\tData:text/plain;base64,${base64(content)}`],
    [
      "in a field with blanks in it",
      (content: string) => `data:;base64, ${base64(content).replace(/(.{4})/g, "$1 \n")}`,
    ],
    ["in a field, escaped", (content: string) => `data:text/plain,${encodeURIComponent(content)}`],
    ["in a field, escaped twice", (content: string) => `data:;base64,${encodeURIComponent(base64(content))}`],
    ["in a field as it is", (content: string) => `data:,${content}`],
  ])("send-form: a file of a case %s, when it goes outside the case, then it is refused", async (_how, fieldOf) => {
    await aFile("The offer of Wednesday");
    const form = async (to: string, content: string) => {
      const body = new FormData();
      body.append("to_email", to);
      body.append("message", "Hello");
      body.append("file", fieldOf(content));
      const headers = { origin: app.url, cookie: practice.cookies() };
      return (await fetch(`${app.url}/functions/send-form`, { method: "POST", headers, body })).status;
    };
    expect(await form(COURT, "The offer of Wednesday")).toBe(409);
    expect(await form(COURT, "A leaflet")).toBe(200);
    expect(await form(built.first.email, "The offer of Wednesday")).toBe(200);
  });
});

describe("a record of what may go outside the case", () => {
  const LAWYER = "own@law.example.org";
  const said = () => aFile("I would take half", "none", caucusOf(built.p2.partyId));
  const byFunction = async (to: string) => {
    const file = { mimeType: "text/plain", name: "a.txt", content: base64("I would take half") };
    return (await sendByFunction(app, practice, INES, { to: [to], attachments: [file] })).status;
  };

  test("casework.recordDisclosure: to a party, or to who represents one, is refused; to a court it is recorded", async () => {
    const { id } = await said();
    await solicitorOf(built.p1.partyId, LAWYER);
    for (const to of [built.first.email, built.first.email.toUpperCase(), LAWYER])
      expect(await refusal(ordered([id], to))).toMatchObject({
        code: "BAD_REQUEST",
        fields: { to: expect.stringContaining("released to them with consent") },
      });
    expect(await byFunction(built.first.email)).toBe(409);
    await ordered([id], COURT);
    expect(await byFunction(COURT)).toBe(200);
  });

  test("imap-send: to whom it named before they came to represent a party, a file goes no more", async () => {
    const { id } = await said();
    await ordered([id], LAWYER);
    expect(await byFunction(LAWYER)).toBe(200);
    await solicitorOf(built.p1.partyId, LAWYER);
    expect(await byFunction(LAWYER)).toBe(409);
  });
});

describe("words of a letter", () => {
  test("compose: when somebody outside the case gets them, then it leaves only as its writer confirmed that they say nothing of the mediation", async () => {
    await anEmployer();
    const draft = aDraft({ to: [at(EMPLOYER)] });
    const found = await check(draft);
    expect(found.outside).toEqual([EMPLOYER]);
    expect(found.problems).toMatchObject([
      {
        code: "words",
        detail: expect.stringContaining(`may be told to ${EMPLOYER} without every participant’s consent`),
      },
    ]);
    expect(await refusal(send(draft))).toMatchObject({ code: "BAD_REQUEST", fields: { words: expect.any(String) } });
    // Confirmed of one is not confirmed of another.
    expect(await codesOf({ ...draft, cc: [at(COURT)], saysNothingTo: [EMPLOYER] })).toEqual(["words"]);
    await send({ ...draft, saysNothingTo: [EMPLOYER] });
    await deliver();
    expect(smtp.received.at(-1)?.to).toEqual([EMPLOYER]);
    const { items } = await practice.api.timeline.list.query({ caseId: built.theCase.id, page: 1, kind: "mail" });
    expect(items[0]?.text).toContain("confirmed that it tells those outside the case nothing of the mediation");
    const stored = await OutboxModel.findOne({ ownerId: practice.ownerId }).lean();
    expect(stored && contentOf(stored).saysNothingTo).toEqual([EMPLOYER]);
  });

  test("compose: a letter of no case, or to the party alone, when it is checked, then nothing is to be confirmed", async () => {
    expect(await check(aDraft({}))).toMatchObject({ problems: [], outside: [] });
    expect(await check(aDraft({ caseId: null, to: [at(COURT)] }))).toMatchObject({ problems: [], outside: [] });
  });

  test("delivery: a letter whose writer confirmed nothing, when it leaves, then it stays and says why", async () => {
    const { id } = await send(aDraft({ to: [at(COURT)], saysNothingTo: [COURT] }));
    const doc = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
    if (!doc) throw new Error("no such mail");
    const contentEnc = sealContent(practice.ownerId, id, { ...contentOf(doc), saysNothingTo: [] });
    await OutboxModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { contentEnc } });
    const before = smtp.received.length;
    await deliver();
    expect(smtp.received).toHaveLength(before);
    expect(await practice.api.outbox.get.query({ id })).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("confirm that it says nothing of it"),
    });
  });
});
