// What somebody told of how they must not be reached holds at once: nothing goes to them until somebody has looked.
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { newId } from "@app/server/core/ids";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { richTextOf } from "@app/shared/rich-text";
import { expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aStaffUser, clientFields, ledBy } from "../support/server/people.ts";
import { aScreening, told } from "../support/server/screened.ts";

const log = createLogger("silent");
const WORDS = "Canaryspouse reads my email and opens letters";
const { smtp, app, practice } = aSendingPractice();
const built = forEachTest(() => aCase(practice, ledBy(practice.ownerId)));

const found = () => practice.api.clients.get.query({ id: built.first.id });
const screen = (answer: "yes" | "not_sure" | "no") => {
  const screening = aScreening(built.theCase, built.p1.partyId);
  const contact = answer === "no" ? { answer, words: "" } : told(WORDS, answer);
  return practice.api.screenings.complete.mutate({ ...screening, answers: { ...screening.answers, contact } });
};
const letter = () => ({
  id: newId(),
  clientId: built.first.id,
  caseId: built.theCase.id,
  to: [{ name: "", address: built.first.email }],
  cc: [],
  subject: "Your appointment",
  body: richTextOf("We meet on Monday."),
  fileIds: [],
  meetingId: null,
  inReplyTo: "",
  references: [],
  sendAt: null,
  saysNothingTo: [],
});
const received = () => smtp.received.filter(({ to }) => to.includes(built.first.email)).length;
const titles = async () =>
  (await practice.api.tasks.list.query({ caseId: built.theCase.id })).items.map(({ title }) => title);
const deliver = async (minutes = 1) => {
  moveTime(minutes * 60_000);
  await deliverCaseMail(log);
};
const book = () =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: built.theCase.id,
      partyIds: [built.p1.partyId],
      type: "miam",
      isInvitationSent: true,
      allowsOverlap: true,
    }),
  );

test.each(["yes", "not_sure"] as const)(
  "screenings.complete: who answers %s to an unsafe way of reaching them gets no letter and no invitation until somebody looked",
  async (answer) => {
    await screen(answer);
    expect(await found()).toMatchObject({ isContactUnchecked: true });
    expect((await refusal(practice.api.compose.send.mutate(letter()))).message).toContain("may not be emailed");
    await book();
    await deliver();
    expect(received()).toBe(0);
    const asked = await titles();
    expect(asked).toContainEqual(expect.stringMatching(/^Tell .*No way to reach this person is marked as safe/));
    expect(JSON.stringify(asked)).not.toContain("Canaryspouse");
    const safety = `Safety: enter how ${built.theCase.parties[0]?.name} may be reached safely`;
    expect(asked).toContain(safety);
    const { id, version } = await found();
    await practice.api.clients.confirmContact.mutate({ id, version });
    expect(await found()).toMatchObject({ isContactUnchecked: false, safeContact: built.first.safeContact });
    expect((await practice.api.tasks.list.query({ caseId: built.theCase.id, isOpen: true })).items).not.toContainEqual(
      expect.objectContaining({ title: safety }),
    );
    await practice.api.compose.send.mutate(letter());
    await deliver(3);
    expect(received()).toBe(1);
  },
);

test("screenings.complete: a letter that waits when somebody tells of an unsafe way does not leave", async () => {
  const { id } = await practice.api.compose.send.mutate(letter());
  await screen("yes");
  await deliver();
  expect(received()).toBe(0);
  const kept = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
  expect(kept?.state).not.toBe("sent");
  expect(kept?.reason).toContain("may not be emailed");
  expect(kept?.reason).not.toContain("Canaryspouse");
});

test("screenings.complete: who says that every way is safe is written to as before", async () => {
  await screen("no");
  expect(await found()).toMatchObject({ isContactUnchecked: false });
  await practice.api.compose.send.mutate(letter());
  await deliver();
  expect(received()).toBe(1);
});

test("clients.update: saving another way ends the hold, saving anything else does not, nor does what was on the screen before", async () => {
  const before = await found();
  await screen("yes");
  const { email, firstName, lastName, safeContact } = before;
  const save = (version: number, overrides: Parameters<typeof clientFields>[0]) => {
    const fields = clientFields({ email, firstName, lastName, safeContact, ...overrides });
    return practice.api.clients.update.mutate({ id: before.id, version, client: fields });
  };
  const other = { safeContact: { ...DEFAULT_SAFE_CONTACT, mayPost: false } };
  expect(await refusal(save(before.version, other))).toMatchObject({ code: "CONFLICT" });
  const tagged = await save((await found()).version, { tags: ["Later"] });
  expect(tagged).toMatchObject({ isContactUnchecked: true });
  expect(await save(tagged.version, other)).toMatchObject({ isContactUnchecked: false });
});

test("clients.get: whoever may not read screenings sees that it has to be checked, and nothing of what was said", async () => {
  await screen("yes");
  const reader = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  const seen = await reader.api.clients.get.query({ id: built.first.id });
  expect(seen.isContactUnchecked).toBe(true);
  expect(JSON.stringify(seen)).not.toContain("Canaryspouse");
  const confirming = reader.api.clients.confirmContact.mutate({ id: seen.id, version: seen.version });
  expect(await refusal(confirming)).toMatchObject({ code: "FORBIDDEN" });
});

test("clients.confirmContact, clients.update: whoever may not read what was said in a screening does not end the hold", async () => {
  const { email, firstName, lastName, safeContact } = await found();
  await screen("yes");
  const clerk = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "mail.send"] });
  const { id, version } = await found();
  expect(await refusal(clerk.api.clients.confirmContact.mutate({ id, version }))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("Ask the owner of the practice or a mediator"),
  });
  const client = clientFields({ email, firstName, lastName, safeContact: { ...safeContact, note: "After six" } });
  const saved = await clerk.api.clients.update.mutate({ id, version, client });
  expect(saved).toMatchObject({ isContactUnchecked: true, safeContact: { note: "After six" } });
  const confirmed = await practice.api.clients.confirmContact.mutate({ id, version: saved.version });
  expect(confirmed).toMatchObject({ isContactUnchecked: false });
  const again = clientFields({ email, firstName, lastName, safeContact });
  await clerk.api.clients.update.mutate({ id, version: confirmed.version, client: again });
});
