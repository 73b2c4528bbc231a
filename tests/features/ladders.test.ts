import { DEFAULT_RUNGS } from "@app/shared/default-rungs";
import { newId } from "@app/server/core/ids";
import { DAY_MS, now } from "@app/server/core/clock";
import { NOBODY_WHILE_UNSAFE, SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import { addDays, dayIn } from "@app/shared/days";
import type { Case } from "@app/shared/cases";
import { type Attempt, type Rung } from "@app/shared/ladders";
import { plainText, richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { mayContact } from "../support/server/contactable.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(async () => {
  const made = await aCase(practice);
  await mayContact(made.theCase);
  return made;
});

const today = () => dayIn("Europe/London", now());
const nowCase = () => practice.api.cases.get.query({ id: built.theCase.id });
const seen = () => practice.api.casework.invitations.query({ id: built.theCase.id });
const stored = (name: string) => mongoose.connection.collection<{ _id: string }>(name);

type Attempted = Partial<Pick<Attempt, "channel" | "on" | "partyId" | "call" | "insteadBecause"> & { wording: string }>;

async function invite(attempt: Attempted = {}, by: Pick<TestPerson, "api"> = practice): Promise<Case> {
  const { id, version } = await nowCase();
  const channel = attempt.channel ?? "email";
  const call = attempt.call ?? (channel === "phone" ? "spoken" : "");
  const made = { on: today(), wording: "Asked whether they can talk", ...attempt, channel };
  return by.api.casework.inviteParty.mutate({
    changeId: newId(),
    id,
    version,
    partyId: built.p2.partyId,
    ...made,
    call,
  });
}

const aMail = (overrides = {}) => ({
  ...aLetterTo(built.second.email, { clientId: built.second.id, caseId: built.theCase.id }),
  body: richTextOf("Would you like to hear more?"),
  isInvitation: true,
  ...overrides,
});
const sendInvitation = (overrides = {}) =>
  practice.api.compose.send.mutate({ id: newId(), ...aMail(overrides), sendAt: null });

async function moveParty(to: "invited" | "responded" | "withdrawn" | "no_response" | "refused", reason = "Said so") {
  const { id, version } = await nowCase();
  const step = { on: today(), reason, isOwnDecision: to === "refused" ? true : null };
  return practice.api.casework.moveParty.mutate({ id, version, partyId: built.p2.partyId, to, ...step });
}

/** The open tasks of the case, with their days. */
const open = async () =>
  (await practice.api.tasks.list.query({ caseId: built.theCase.id })).items.map(({ title, dueOn }) => [title, dueOn]);

const AGAIN = (by: string, step: number) => `If ${owen()} has not answered: invite again ${by} (${step} of 3)`;
const DECIDE = () => `If ${owen()} has not answered: decide whether to record “No response”`;
const owen = () => built.second.displayName;

describe("attempts", () => {
  test("casework.inviteParty: when a call is recorded, then its day, words, caller and last day to answer are kept, the words sealed", async () => {
    const theCase = await invite({ channel: "phone", wording: "Left nothing on the machine" });
    expect(theCase.parties[1]).toMatchObject({ status: "invited" });
    const { attempts } = await seen();
    expect(attempts).toMatchObject([
      {
        partyId: built.p2.partyId,
        channel: "phone",
        on: today(),
        replyBy: addDays(today(), 7),
        call: "spoken",
        wording: "Left nothing on the machine",
        madeByName: "Ines Marchbank",
        isTakenBack: false,
        delivery: null,
      },
    ]);
    const doc = await stored("invitation_attempts").findOne({ caseId: theCase.id });
    expect(doc).not.toBeNull();
    expect(JSON.stringify(doc)).not.toContain("machine");
  });

  test("casework.inviteParty: when its day has not come, then it is refused at its field and nothing is kept", async () => {
    const refused = await refusal(invite({ on: addDays(today(), 2) }));
    expect(refused).toMatchObject({ code: "BAD_REQUEST", fields: { on: expect.stringContaining("in the future") } });
    expect((await seen()).attempts).toEqual([]);
  });

  test("casework.inviteParty: when the party has said no, then it is refused", async () => {
    await moveParty("refused");
    expect(await refusal(invite())).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "P2 has answered already: Refused.",
    });
  });

  test("casework.inviteParty: of whoever answered and went quiet a reminder is kept, which moves nobody, and none of before their answer", async () => {
    await invite({ on: addDays(today(), -3) });
    await moveParty("responded");
    const reminded = await invite({ channel: "post", wording: "You wanted to ring us" });
    expect(reminded.parties[1]).toMatchObject({ status: "responded", respondedOn: today() });
    const { attempts } = await seen();
    expect(attempts).toMatchObject([
      { isAnswered: true },
      { channel: "post", wording: "You wanted to ring us", isAnswered: false },
    ]);
    expect(await open()).toEqual([]);
    const { items } = await practice.api.timeline.list.query({ clientId: built.second.id });
    expect(items.map(({ text }) => text)).toContain("Reminded by letter");
    expect((await refusal(invite({ on: addDays(today(), -1) }))).fields).toEqual({
      on: expect.stringContaining("is reminded only after that"),
    });
    const [, reminder] = attempts;
    const { id, version } = await nowCase();
    const struck = { id, version, attemptId: reminder?.id ?? "", reason: "Not sent" };
    expect((await practice.api.casework.strikeInvitation.mutate(struck)).parties[1]?.status).toBe("responded");
  });

  test("casework.inviteParty and compose.send: while one party is found not safe, nobody else is invited, in words that tell nothing of it", async () => {
    await invite();
    expect(await open()).not.toEqual([]);
    const { api } = practice;
    await api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, NOT_SAFE));
    const title = `Safety: decide what follows from the screening of ${built.first.displayName}`;
    expect(new Set((await open()).map(([named]) => named))).toEqual(new Set([title, "Complete a safeguarding entry"]));
    const told = { code: "PRECONDITION_FAILED", message: NOBODY_WHILE_UNSAFE };
    const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
    expect(await refusal(invite({}, blind))).toMatchObject({ message: SCREENING_SAYS_NOT_YET });
    expect(await refusal(invite())).toMatchObject(told);
    expect(await refusal(sendInvitation())).toMatchObject(told);
    await moveParty("no_response");
    expect(await refusal(invite())).toMatchObject(told);
    expect((await seen()).attempts).toHaveLength(1);
    await api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId));
    await dismissEntries(api, built.theCase.id);
    expect((await invite()).parties[1]).toMatchObject({ status: "invited" });
    expect((await open()).map(([words]) => words)).toContainEqual(
      expect.stringContaining(`If ${owen()} has not answered`),
    );
  });

  test("casework.moveParty: when whoever came first leaves, then nobody is to invite the other again, until that is taken back", async () => {
    await invite();
    const again = await open();
    expect(again).not.toEqual([]);
    const { id, version } = await nowCase();
    const step = { on: today(), reason: "Has thought again", isOwnDecision: true, confidences: null };
    const { partyId } = built.p1;
    const left = await practice.api.casework.moveParty.mutate({ id, version, partyId, to: "withdrawn", ...step });
    expect(await open()).toEqual([]);
    await practice.api.casework.correct.mutate({ id, version: left.version, partyId, reason: "Was not they" });
    expect(await open()).toEqual(again);
  });

  test("casework.inviteParty: when the case is over, then it is refused", async () => {
    await end();
    expect(await refusal(invite())).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "This case is over. Reopen it before you invite anybody.",
    });
  });

  test("casework.inviteParty: when 100 attempts stand, then it is refused", async () => {
    await invite();
    const one = await stored("invitation_attempts").findOne({ caseId: built.theCase.id });
    await stored("invitation_attempts").insertMany(Array.from({ length: 99 }, () => ({ ...one, _id: newId() })));
    expect((await refusal(invite())).message).toContain("was invited 100 times");
  });

  test("casework.invitations: when one party was written to, then nothing of it is in what the other’s record holds, and their own has no label of ours", async () => {
    await invite({ channel: "post", wording: "Words for Owen alone" });
    const preview = (partyId: string) => practice.api.partyView.preview.query({ caseId: built.theCase.id, partyId });
    const own = await preview(built.p2.partyId);
    expect(own.items.map(({ title }) => title)).toContain("Invited by letter");
    expect(JSON.stringify(own)).not.toContain("Words for Owen");
    expect(own.items.filter(({ title }) => /\bP2\b/.test(title))).toEqual([]);
    expect(JSON.stringify(await preview(built.p1.partyId))).not.toMatch(/invit|Words for Owen/i);
  });

  test("casework.invitations: when somebody may not read mail, then the words of a mail are not theirs to read, and those of a call are", async () => {
    await sendInvitation();
    await invite({ wording: "Called, and said what it is about" });
    const reader = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    const { attempts } = await reader.api.casework.invitations.query({ id: built.theCase.id });
    expect(attempts.map(({ wording }) => wording)).toEqual([null, "Called, and said what it is about"]);
  });
});

async function end() {
  const { id, version } = await nowCase();
  const move = { to: "not_proceeding" as const, reason: "Nobody answers", ending: "no_answer" as const, outcome: null };
  await practice.api.casework.move.mutate({ id, version, ...move });
}

describe("invitations by mail", () => {
  test("compose.send: when it is an invitation, then the attempt holds the words that leave", async () => {
    await sendInvitation({ subject: "A message for you" });
    const { attempts } = await seen();
    expect(attempts).toMatchObject([
      {
        channel: "email",
        on: today(),
        delivery: "queued",
        wording: "A message for you\n\nWould you like to hear more?",
      },
    ]);
    expect((await nowCase()).parties[1]).toMatchObject({ status: "invited" });
    expect(await open()).toEqual([[AGAIN("by letter", 2), addDays(today(), 10)]]);
  });

  test("compose.send: when a letter of the ladder leaves, then it says the last day to answer that is kept with the attempt, also when it leaves later", async () => {
    const template = "invite-family-first";
    const words = await practice.api.ladders.words.query({ domain: "family", template });
    if (!words) throw new Error("no words");
    const sendAt = new Date(now().getTime() + 3 * DAY_MS).toISOString();
    await practice.api.compose.send.mutate({ id: newId(), ...aMail(words), sendAt });
    const [attempt] = (await seen()).attempts;
    expect(attempt?.replyBy).toBe(addDays(dayIn("Europe/London", new Date(sendAt)), 10));
    const day = new Date(`${attempt?.replyBy ?? ""}T00:00:00Z`);
    const written = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
    expect(attempt?.wording).toContain(`by ${new Intl.DateTimeFormat("en-GB", written).format(day)} if you can`);
  });

  test("compose.check: when whoever is written to has answered, then the day by which to answer has no value", async () => {
    await moveParty("responded");
    const asking = aMail({ isInvitation: false, body: richTextOf("By {{invitation.replyBy}}") });
    const { problems } = await practice.api.compose.check.mutate(asking);
    expect(problems).toMatchObject([
      { code: "missing_field", detail: expect.stringContaining("Day by which to answer") },
    ]);
  });

  test("compose.send: when it is no invitation, then nobody was invited", async () => {
    await sendInvitation({ isInvitation: false });
    expect((await seen()).attempts).toEqual([]);
    expect((await nowCase()).parties[1]).toMatchObject({ status: "to_invite" });
  });

  test("compose.send: when the party has answered meanwhile, then the invitation is refused and no mail is stored", async () => {
    await moveParty("responded");
    expect(await refusal(sendInvitation())).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(await stored("email_messages").countDocuments({ caseId: built.theCase.id })).toBe(0);
  });

  test("compose.send: when whoever writes may not change clients, then the invitation is refused and no mail is stored", async () => {
    const writer = await aStaffUser(app, practice, { permissions: ["clients.read", "mail.send"] });
    const sending = writer.api.compose.send.mutate({ id: newId(), ...aMail(), sendAt: null });
    expect(await refusal(sending)).toMatchObject({ code: "FORBIDDEN" });
    expect(await stored("email_messages").countDocuments({ caseId: built.theCase.id })).toBe(0);
  });

  test("compose.send: when the mail is of no case, then there is nobody to invite", async () => {
    expect(await refusal(sendInvitation({ caseId: null }))).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("outbox.cancel: when an invitation is taken back before it leaves, then nobody was invited, no task waits, and the step is free", async () => {
    const { id } = await sendInvitation();
    await practice.api.outbox.cancel.mutate({ id });
    expect((await nowCase()).parties[1]).toMatchObject({ status: "to_invite" });
    expect((await seen()).attempts).toMatchObject([{ isTakenBack: true, delivery: "cancelled" }]);
    expect(await open()).toEqual([]);
    await invite();
    expect(await open()).toEqual([[AGAIN("by letter", 2), addDays(today(), 10)]]);
  });

  test("outbox.cancel: when there was an attempt before, then the party stays invited, and its task waits again", async () => {
    await invite({ channel: "post" });
    const before = await open();
    const { id } = await sendInvitation();
    expect(await open()).not.toEqual(before);
    await practice.api.outbox.cancel.mutate({ id });
    expect((await nowCase()).parties[1]).toMatchObject({ status: "invited" });
    expect(await open()).toEqual(before);
  });
});

describe("no response", () => {
  const becameOfMails = (state: string) =>
    stored("email_messages").updateMany({ caseId: built.theCase.id }, { $set: { state } });
  const REFUSED = {
    code: "PRECONDITION_FAILED",
    message: expect.stringMatching(/^No invitation has reached P2: .* Invite them in another way first\.$/),
  };

  test.each(["queued", "sending", "failed", "bounced", "cancelled"])(
    "casework.moveParty: when the mail of the only invitation is %s, then nobody can be recorded as not answering it",
    async (state) => {
      await sendInvitation();
      await becameOfMails(state);
      expect(await refusal(moveParty("no_response"))).toMatchObject(REFUSED);
      expect((await nowCase()).parties[1]).toMatchObject({ status: "invited" });
      await invite({ channel: "phone" });
      expect((await moveParty("no_response")).parties[1]).toMatchObject({ status: "no_response" });
    },
  );

  test("casework.moveParty: to “invited”, when no invitation is recorded with it, is refused, and so is “no response”", async () => {
    expect(await refusal(moveParty("invited"))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "Record how and on which day P2 was invited: that makes them “Invited”.",
    });
    // As those of an import stand.
    await stored("cases").updateOne({ _id: built.theCase.id }, { $set: { "parties.1.status": "invited" } });
    expect(await refusal(moveParty("no_response"))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("No invitation of P2 is recorded."),
    });
    await invite({ on: "2026-01-05" });
    expect((await moveParty("no_response", "")).parties[1]).toMatchObject({ status: "no_response" });
  });

  test("casework.moveParty: while the day by which to answer is not over, then “no response” needs a reason, and afterwards none", async () => {
    await invite({ on: addDays(today(), -10) });
    expect(await refusal(moveParty("no_response", ""))).toMatchObject({
      code: "BAD_REQUEST",
      fields: { reason: expect.stringContaining("not over") },
    });
    expect((await moveParty("no_response", "She is abroad until spring")).parties[1]).toMatchObject({
      status: "no_response",
      reason: "She is abroad until spring",
    });
    await invite({ on: addDays(today(), -11) });
    expect(await refusal(moveParty("no_response", ""))).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("casework.moveParty: when the day by which to answer is over, then “no response” needs no reason", async () => {
    await invite({ on: addDays(today(), -11) });
    expect((await moveParty("no_response", "")).parties[1]).toMatchObject({ status: "no_response" });
  });

  test.each(["sent", "uncertain"])(
    "casework.moveParty: when the mail of the invitation is %s, then that it was not answered can be recorded",
    async (state) => {
      await sendInvitation();
      await becameOfMails(state);
      expect((await moveParty("no_response")).parties[1]).toMatchObject({ status: "no_response" });
    },
  );
});

describe("tasks", () => {
  test("tasks: after each attempt one waits for the next rung, and after the last one for the decision", async () => {
    await invite({ on: "2026-01-05" });
    expect(await open()).toEqual([[AGAIN("by letter", 2), "2026-01-15"]]);
    await invite({ on: "2026-01-21", channel: "post" });
    expect(await open()).toEqual([[AGAIN("by phone", 3), "2026-01-31"]]);
    await invite({ on: "2026-01-31", channel: "phone" });
    expect(await open()).toEqual([[DECIDE(), "2026-02-08"]]);
    expect((await nowCase()).parties[1]).toMatchObject({ status: "invited" });
  });

  test.each(["responded", "withdrawn", "no_response", "refused"] as const)(
    "tasks: when the party is %s, then none waits for their answer",
    async (to) => {
      await invite();
      await moveParty(to);
      expect(await open()).toEqual([]);
    },
  );

  test("an answer: when somebody answers, goes quiet and is invited again, then the ladder begins anew, and its task with it", async () => {
    await invite({ on: "2026-01-05" });
    await invite({ on: "2026-01-21", channel: "post" });
    await moveParty("responded");
    await moveParty("no_response");
    expect(await open()).toEqual([]);
    expect((await seen()).attempts.map(({ isAnswered }) => isAnswered)).toEqual([true, true]);
    await invite({ on: "2026-02-02", channel: "email" });
    expect((await seen()).attempts[2]).toMatchObject({ replyBy: "2026-02-12", isAnswered: false });
    expect(await open()).toEqual([[AGAIN("by letter", 2), "2026-02-12"]]);
  });

  test("tasks: when the case ends, then none waits for an answer", async () => {
    await invite();
    await end();
    expect(await open()).toEqual([]);
  });

  test("tasks: when the answer was recorded by mistake and is taken back, then the same task waits again", async () => {
    await invite();
    const before = await open();
    const { id, version } = await moveParty("responded");
    await practice.api.casework.correct.mutate({ id, version, partyId: built.p2.partyId, reason: "It was the other" });
    expect(await open()).toEqual(before);
    expect(await stored("tasks").countDocuments({ caseId: id })).toBe(1);
  });

  test("tasks: when somebody has done the task, then it does not come back by itself", async () => {
    await invite();
    const [task] = (await practice.api.tasks.list.query({ caseId: built.theCase.id })).items;
    await practice.api.tasks.setStatus.mutate({ id: task?.id ?? "", status: "done" });
    const { id, version } = await moveParty("responded");
    await practice.api.casework.correct.mutate({ id, version, partyId: built.p2.partyId, reason: "It was the other" });
    expect(await open()).toEqual([]);
  });

  test("tasks: when it is tomorrow already where the practice is, then the days to answer count from there", async () => {
    const { currency: _currency, ...fields } = await practice.api.practices.get.query();
    await practice.api.practices.update.mutate({ ...fields, timeZone: "Pacific/Kiritimati" });
    const there = dayIn("Pacific/Kiritimati", now());
    await sendInvitation();
    expect((await seen()).attempts).toMatchObject([{ on: there, replyBy: addDays(there, 10) }]);
  });
});

describe("ladders", () => {
  const SHORT: Rung[] = [{ channel: "text", afterDays: 0, replyDays: 3, template: "" }];
  const update = (rungs: Rung[], version = 0) =>
    practice.api.ladders.update.mutate({ domain: "family", rungs, version });

  test("ladders.list: when nothing was changed, then each kind of case has the one that everybody has", async () => {
    const { items } = await practice.api.ladders.list.query();
    expect(items).toEqual(Object.entries(DEFAULT_RUNGS).map(([domain, rungs]) => ({ domain, rungs, version: 0 })));
  });

  test("ladders.update: when a practice changes one, then its next attempts go by it, and another practice’s do not", async () => {
    await update(SHORT);
    await invite({ on: "2026-01-05", channel: "text" });
    expect((await seen()).attempts).toMatchObject([{ replyBy: "2026-01-08" }]);
    expect(await open()).toEqual([[DECIDE(), "2026-01-09"]]);
    const other = await aPractice(app);
    const { items } = await other.api.ladders.list.query();
    expect(items[0]).toEqual({ domain: "family", rungs: DEFAULT_RUNGS.family, version: 0 });
  });

  test("ladders.update: when somebody else saved meanwhile, then nothing is saved over it", async () => {
    await update(SHORT);
    expect(await refusal(update([...SHORT, ...SHORT]))).toMatchObject({ code: "CONFLICT" });
    await update([...SHORT, ...SHORT], 1);
    expect(await refusal(update(SHORT, 1))).toMatchObject({ code: "CONFLICT" });
    const { items } = await practice.api.ladders.list.query();
    expect(items[0]).toMatchObject({ version: 2, rungs: [...SHORT, ...SHORT] });
  });

  test("ladders.update: when somebody else than the owner tries, then it is refused", async () => {
    const mediator = await aStaffUser(app, practice, { role: 2 });
    const trying = mediator.api.ladders.update.mutate({ domain: "family", rungs: SHORT, version: 0 });
    expect(await refusal(trying)).toMatchObject({ code: "FORBIDDEN" });
  });

  test("ladders.words: when a rung is of another kind than the practice mostly has, then its words are there, once", async () => {
    const ask = { domain: "civil" as const, template: "invite-civil-first" };
    const [one, two] = await Promise.all([
      practice.api.ladders.words.query(ask),
      practice.api.ladders.words.query(ask),
    ]);
    expect(one).toEqual(two);
    expect(one?.subject).toBe("A message for you");
    const filter = { ownerId: practice.ownerId, starterKey: ask.template };
    expect(await stored("mail_templates").countDocuments(filter)).toBe(1);
  });

  test("ladders.words: when a template is another practice’s, deleted, or none, then there are no words", async () => {
    const other = await aPractice(app);
    const template = { id: newId(), name: "Ours", subject: "Ours", body: richTextOf("Ours") };
    const { id } = await other.api.mailTemplates.create.mutate(template);
    const words = (key: string) => practice.api.ladders.words.query({ domain: "family", template: key });
    expect(await words(id)).toBeNull();
    expect(await words("")).toBeNull();
    const items = (await practice.api.mailTemplates.list.query()).items;
    const first = items.find(({ starterKey }) => starterKey === "invite-family-first");
    await practice.api.mailTemplates.remove.mutate({ id: first?.id ?? "" });
    expect(await words("invite-family-first")).toBeNull();
  });

  test("the words of invitations: whatever the kind of case, they ask nothing of anybody else and threaten nobody", async () => {
    const templates = Object.entries(DEFAULT_RUNGS).flatMap(([, rungs]) => rungs.map(({ template }) => template));
    for (const domain of ["family", "workplace", "civil", "community"] as const)
      for (const template of templates.filter((key) => DEFAULT_RUNGS[domain].some((each) => each.template === key))) {
        const words = await practice.api.ladders.words.query({ domain, template });
        const text = plainText(words?.body ?? richTextOf(""));
        expect(text.length).toBeGreaterThan(200);
        expect(text).not.toMatch(/\b(must|judge|costs order|failure|deadline|consequence|your (ex|wife|husband))\b/i);
        // In England and Wales a family court expects whoever would answer to an application at a MIAM too.
        expect(/court expects.* attended .*unless .*good reason not to, such as abuse/.test(text)).toBe(
          domain === "family",
        );
        expect(/need not give a reason/.test(text)).toBe(domain !== "family" && !template.endsWith("-call"));
        expect(text).toMatch(/own choice/);
        if (template.endsWith("-call")) continue;
        expect(text).toContain("{{invitation.request}} It is about {{invitation.matter}}.");
        expect(text).toMatch(/by {{invitation\.replyBy}} if you can\..*may record that there was no answer/s);
      }
  });
});
