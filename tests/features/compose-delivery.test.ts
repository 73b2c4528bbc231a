import { newId } from "@app/server/core/ids";
import { Readable } from "node:stream";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { storeFile } from "@app/server/features/files/files.service";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import { type RichText, richTextOf } from "@app/shared/rich-text";
import { forParty, PRACTICE_ONLY } from "@app/shared/visibility";
import PostalMime from "postal-mime";
import { beforeEach, expect, test, vi } from "vitest";
import { aLetterTo } from "../support/mail/letters.ts";
import { EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aCase, aMeetingInput, aPractice, scopeOf, meetingDetailsOf } from "../support/server/people.ts";
import { mayContact } from "../support/server/contactable.ts";
import { daysAgo } from "../support/server/assessments.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { moveTime } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { anSmtpForAll, officeMail } from "../support/mail/mail-for-tests.ts";

const MINUTE_MS = 60_000;
const log = createLogger("silent");

let built: Awaited<ReturnType<typeof aCase>>;
let fileId = "";
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp(officeMail(smtp)));
const practice = forAllTests(() => aPractice(app));
beforeEach(async () => {
  vi.restoreAllMocks();
  built = await aCase(practice);
  const file = await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from("The words of the summary")]), {
    clientId: null,
    caseId: built.theCase.id,
    name: "Summary é.txt",
    visibility: forParty(built.p1.partyId),
  });
  fileId = file.id;
  // The aunt is nobody of the case: what goes to her was let out.
  await practice.api.casework.recordDisclosure.mutate({
    id: built.theCase.id,
    version: (await practice.api.cases.get.query({ id: built.theCase.id })).version,
    disclosureId: newId(),
    what: "The summary, to the aunt",
    fileIds: [fileId],
    to: ["aunt@example.org"],
    hasReport: false,
    ground: { kind: "order", on: "2026-01-05", reference: "Family Court, ZC26P01" },
  });
});

const CONFIRMED = "; confirmed that it tells those outside the case nothing of the mediation";

const BOLD: RichText = {
  type: "doc",
  content: [
    { type: "paragraph", content: [{ type: "text", text: "Dear {{client.firstName}} <b>" }] },
    { type: "paragraph", content: [{ type: "text", text: "Read this", marks: [{ type: "bold" }] }] },
  ],
};

const send = (body: RichText, inReplyTo = "") =>
  practice.api.compose.send.mutate({
    id: newId(),
    clientId: built.first.id,
    caseId: built.theCase.id,
    to: [{ name: "", address: built.first.email }],
    cc: [{ name: "", address: "aunt@example.org" }],
    subject: "Your papers",
    body,
    fileIds: [fileId],
    meetingId: null,
    inReplyTo,
    references: inReplyTo ? [inReplyTo] : [],
    saysNothingTo: ["aunt@example.org"],
    sendAt: null,
  });

async function stateOf(id: string) {
  const { items } = await practice.api.outbox.list.query({ clientId: built.first.id });
  return items.find((mail) => mail.id === id);
}

test("delivery: in the first ten seconds nothing leaves, and after them the whole message does", async () => {
  const { id } = await send(BOLD, "<question@example.org>");
  await deliverCaseMail(log);
  expect(smtp.received).toEqual([]);
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  expect(await stateOf(id)).toMatchObject({ state: "sent", reason: "" });
  expect(smtp.received[0]?.to.toSorted()).toEqual([built.first.email, "aunt@example.org"].toSorted());
  const mail = await PostalMime.parse(smtp.received[0]?.source ?? "", { attachmentEncoding: "utf8" });
  expect(mail.html).toContain("<p>Dear Priya &#60;b&#62;</p>");
  expect(mail.html).toContain("<strong>Read this</strong>");
  expect(mail.text).toContain("Dear Priya <b>");
  expect(mail.inReplyTo).toBe("<question@example.org>");
  expect(mail.attachments[0]).toMatchObject({ filename: "Summary é.txt", content: "The words of the summary" });
});

test("delivery: an invitation, when somebody else was found not safe before it left, then it does not leave, and says nothing of whom", async () => {
  const { id } = await practice.api.compose.send.mutate({
    ...aLetterTo(built.first.email, { clientId: built.first.id, caseId: built.theCase.id }),
    id: newId(),
    body: richTextOf("Would you like to hear more?"),
    isInvitation: true,
    sendAt: null,
  });
  const before = smtp.received.length;
  await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, NOT_SAFE));
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  expect(await stateOf(id)).toMatchObject({ state: "failed", reason: SCREENING_SAYS_NOT_YET });
  expect(smtp.received).toHaveLength(before);
});

test.each([
  ["whoever it invites has answered", "P2 has answered already: Responded."],
  ["whoever came first takes back that the others are contacted", "P1 does not agree that the others are contacted."],
])("delivery: an invitation, when %s before it left, then it does not leave", async (what, reason) => {
  await mayContact(built.theCase);
  const { id } = await practice.api.compose.send.mutate({
    ...aLetterTo(built.second.email, { clientId: built.second.id, caseId: built.theCase.id }),
    id: newId(),
    body: richTextOf("Would you like to hear more?"),
    isInvitation: true,
    sendAt: null,
  });
  const before = smtp.received.length;
  const { version } = await practice.api.cases.get.query({ id: built.theCase.id });
  const of = { id: built.theCase.id, version, on: daysAgo(0) };
  if (what.startsWith("whoever it invites"))
    await practice.api.casework.moveParty.mutate({ ...of, partyId: built.p2.partyId, to: "responded", reason: "" });
  else {
    const said = { partyId: built.p1.partyId, isAgreed: false, isNamed: false };
    await practice.api.casework.recordContactAgreement.mutate({ ...of, ...said });
  }
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  const { items } = await practice.api.outbox.list.query({ clientId: built.second.id });
  expect(items.find((mail) => mail.id === id)).toMatchObject({ state: "failed", reason });
  expect(smtp.received).toHaveLength(before);
});

const told = async () =>
  (await practice.api.timeline.list.query({ clientId: built.first.id, kind: "mail" })).items.map(
    ({ text, visibility, actorName }) => ({ text, visibility, actorName }),
  );

test("delivery: the history says that it was sent when it has left, once, to the practice alone: it names who else got it", async () => {
  await send(richTextOf("Hello"));
  await deliverCaseMail(log);
  expect(await told()).toEqual([]);
  moveTime(MINUTE_MS);
  await Promise.all([deliverCaseMail(log), deliverCaseMail(log)]);
  await deliverCaseMail(log);
  expect(await told()).toEqual([
    {
      text: `Message sent to ${built.first.displayName}, aunt@example.org${CONFIRMED}`,
      visibility: PRACTICE_ONLY,
      actorName: "Ines Marchbank",
    },
  ]);
});

test("delivery: one that its mail server may have taken is told as uncertain, and as sent when it was sent again", async () => {
  const { id } = await send(richTextOf("Hello"));
  moveTime(MINUTE_MS);
  await OutboxModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { state: "sending" } });
  const before = settings();
  configure({ ...before, ...EMAILJS_SETTINGS, EMAILJS_THROTTLE_MS: 0 });
  await deliverCaseMail(log).finally(() => configure(before));
  expect(await stateOf(id)).toMatchObject({ state: "uncertain" });
  const names = `${built.first.displayName}, aunt@example.org`;
  const uncertain = `Message to ${names}: it is not certain whether it was sent`;
  expect((await told()).map(({ text }) => text)).toEqual([uncertain]);
  await practice.api.outbox.retry.mutate({ changeId: newId(), id });
  await deliverCaseMail(log);
  expect(new Set((await told()).map(({ text }) => text))).toEqual(
    new Set([uncertain, `Message sent to ${names}${CONFIRMED}`]),
  );
});

test("delivery: when a file was deleted meanwhile, the message fails and says so", async () => {
  const { id } = await send(richTextOf("Hello"));
  await practice.api.files.remove.mutate({ ids: [fileId] });
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  expect(await stateOf(id)).toMatchObject({ state: "failed" });
  expect((await stateOf(id))?.reason).toContain("was deleted before the mail left");
  expect(smtp.received).toEqual([]);
});

test("delivery: when a file has another name by the time the message leaves, then neither name leaves, and its writer reads why", async () => {
  const { id } = await send(richTextOf("Hello"));
  const { version, tags, visibility } = await practice.api.files.get.query({ id: fileId });
  await practice.api.files.update.mutate({ id: fileId, version, name: "Statement.txt", tags, visibility });
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  expect(smtp.received).toEqual([]);
  expect(await stateOf(id)).toMatchObject({ state: "failed", reason: expect.stringContaining("Statement.txt") });
});

const TELLS_OF_MEETING = richTextOf("Come on {{meeting.date}} at {{meeting.time}} to {{meeting.place}}");
const CHANGED = "The appointment has changed since this was written. Look at the calendar, and write again.";

function aMeeting() {
  const { theCase } = built;
  const partyIds = theCase.parties.map(({ partyId }) => partyId);
  return practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, { caseId: theCase.id, partyIds, allowsOverlap: true }),
  );
}
type Meeting = Awaited<ReturnType<typeof aMeeting>>;

test.each<[string, (meeting: Meeting) => Promise<unknown>, string]>([
  ["is as it was", () => Promise.resolve(), "sent"],
  [
    "has another place",
    (meeting) =>
      practice.api.meetings.update.mutate({
        ...meetingDetailsOf(meeting),
        location: { kind: "in_person", place: "Safehouse 2" },
      }),
    "failed",
  ],
  [
    "begins at another time for this party alone",
    (meeting) =>
      practice.api.meetings.update.mutate({
        ...meetingDetailsOf(meeting),
        arrivals: [{ partyId: built.p1.partyId, minutesBefore: 30 }],
      }),
    "failed",
  ],
  [
    "is cancelled",
    ({ id, version }) =>
      practice.api.meetings.cancel.mutate({
        changeId: newId(),
        id,
        version,
        reason: "Danger",
        isLate: false,
        isWholeSeries: false,
      }),
    "failed",
  ],
])(
  "delivery: a letter whose fields tell of a meeting: when that %s by the time it leaves, then it is told of as it is, or not at all",
  async (_what, change, state) => {
    const meeting = await aMeeting();
    const { id } = await send(TELLS_OF_MEETING);
    await change(meeting);
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    const letters = smtp.received.filter(({ source }) => source.includes("Your papers"));
    expect(letters).toHaveLength(state === "sent" ? 1 : 0);
    expect(await stateOf(id)).toMatchObject({ state, reason: state === "sent" ? "" : CHANGED });
  },
);

test("delivery: a message that was taken back never leaves, and the history never says so", async () => {
  const { id } = await send(richTextOf("Hello"));
  await practice.api.outbox.cancel.mutate({ id });
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  expect(smtp.received).toEqual([]);
  expect(await told()).toEqual([]);
});
