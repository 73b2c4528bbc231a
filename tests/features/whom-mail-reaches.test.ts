// Whom a new mail may reach at all, by every way of writing: nobody who was put away, who may have died, or whom nobody was
// to ask, also where another case, another link or another client of theirs would open a way.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { MailDraft } from "@app/shared/mail-check";
import { richTextOf } from "@app/shared/rich-text";
import { describe, expect, test, vi } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aClient, aStaffUser, clientFields } from "../support/server/people.ts";
import { standingAt } from "../support/server/signed.ts";
import { DAY } from "../support/server/stepping.ts";

const { app, practice, smtp } = aSendingPractice();
const built = forEachTest(() => aCase(practice));

const at = async () => {
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  return { id, version };
};
const refuseContact = async () =>
  practice.api.casework.recordContactAgreement.mutate({
    ...(await at()),
    partyId: built.p1.partyId,
    isAgreed: false,
    isNamed: false,
    on: DAY,
  });
const movedBy = async ({ api }: Pick<typeof practice, "api">, to: "responded" | "withdrawn" | "refused", reason = "") =>
  api.casework.moveParty.mutate({
    ...(await at()),
    partyId: built.p2.partyId,
    to,
    on: DAY,
    reason,
    isOwnDecision: to === "responded" ? null : false,
  });
const archive = () => practice.api.clients.setStatus.mutate({ ids: [built.second.id], status: "archived" });
/** As cases ended in which nobody was named who died. */
const endByDeath = () =>
  CaseModel.updateOne(
    { ownerId: practice.ownerId, _id: built.theCase.id },
    { $set: { status: "not_proceeding", ending: "died" } },
  );

function wrote(overrides: Partial<MailDraft> = {}) {
  const { id: clientId, email } = built.second;
  const draft = aLetterTo(email, { clientId, caseId: null, ...overrides });
  return refusal(practice.api.compose.send.mutate({ id: newId(), sendAt: null, ...draft }));
}
const byFunction = async (to: string) => (await sendByFunction(app, practice, INES, { to: [to] })).status;
const gateway = () => byFunction(built.second.email);

async function mailed(source: { kind: "csv"; csv: string } | { kind: "clients"; clientIds: string[] }) {
  const text = { subject: "We move", body: richTextOf("Our new address is 4 Kiln Row."), perMinute: 0 };
  const { id } = await practice.api.mailings.create.mutate({ id: newId(), ...text, source });
  await practice.api.mailings.start.mutate({ id, changeId: newId() });
  await vi.waitFor(async () => expect((await practice.api.mailings.get.query({ id })).state).toMatch(/done|paused/), {
    timeout: 15_000,
    interval: 50,
  });
  const { items } = await practice.api.mailings.listItems.query({ mailingId: id, page: 1 });
  return items[0]?.state;
}
/** By a letter of no case, another program, and both kinds of mailing. */
const reached = async (): Promise<boolean[]> => [
  (await wrote()).code === "",
  (await gateway()) === 200,
  (await mailed({ kind: "clients", clientIds: [built.second.id] })) === "sent",
  (await mailed({ kind: "csv", csv: `email,name\n${built.second.email},Bo\n` })) === "sent",
];
const BY_NONE = [false, false, false, false];

test("when a client is archived, then no way of writing reaches them, and it says to restore them first; restored, all do", async () => {
  await standingAt(practice, built.theCase.id, ["responded", "responded"]);
  await archive();
  expect((await wrote({ caseId: built.theCase.id })).message).toContain("Restore this client first");
  expect((await wrote({ to: [{ name: "", address: "new@elsewhere.example.org" }] })).message).toContain("is archived");
  expect(await reached()).toEqual(BY_NONE);
  expect(smtp.received).toEqual([]);
  await practice.api.clients.setStatus.mutate({ ids: [built.second.id], status: "active" });
  expect(await reached()).toEqual([true, true, true, true]);
});

test("when a case ended because somebody died, then only who writes from that case reaches those of it", async () => {
  await standingAt(practice, built.theCase.id, ["responded", "responded"]);
  await endByDeath();
  expect(await reached()).toEqual(BY_NONE);
  expect((await wrote()).message).toContain("ended because somebody died");
  expect((await wrote({ caseId: built.theCase.id })).code).toBe("");
});

test("when somebody died, then no way of writing reaches them, and the other is written to", async () => {
  await standingAt(practice, built.theCase.id, ["responded", "responded"]);
  const died = { to: "died" as const, on: DAY, reason: "" };
  await practice.api.casework.moveParty.mutate({ ...(await at()), partyId: built.p2.partyId, ...died });
  expect(await reached()).toEqual(BY_NONE);
  expect((await wrote({ caseId: built.theCase.id })).message).toContain("has died");
  await endByDeath();
  expect(await reached()).toEqual(BY_NONE);
  expect(await byFunction(built.first.email)).toBe(200);
});

describe("whoever came first does not agree that the others are contacted", () => {
  test("when the other has a second case of their own, then what does not say of which case it is does not leave", async () => {
    await refuseContact();
    const third = await aCase(practice);
    const own = await practice.api.casework.create.mutate(
      aCaseInput([built.second.id, third.first.id], { caseRef: "" }),
    );
    expect(await reached()).toEqual(BY_NONE);
    expect((await wrote({ caseId: own.id })).code).toBe("");
  });

  test.each(["the other side of the same case", "another case"])(
    "when a solicitor of the other is also linked to %s, then nothing reaches them there",
    async (where) => {
      await refuseContact();
      const email = `${newId().toLowerCase()}@law.example.org`;
      const { id } = await practice.api.contacts.create.mutate(aContact({ email }));
      const another = await aCase(practice);
      const second = where === "another case" ? another : { ...built, p2: built.p1 };
      for (const { theCase, p2 } of [built, second]) {
        const of = { caseId: theCase.id, partyId: p2.partyId };
        await practice.api.contacts.link.mutate({ changeId: newId(), id, role: "solicitor", ...of });
      }
      expect(await byFunction(email)).toBe(409);
    },
  );

  test("when another client has the address now that the other left, then nothing goes there; when it is whoever shares the case with them, it does", async () => {
    const { version, firstName, lastName } = await practice.api.clients.get.query({ id: built.second.id });
    const left = built.second.email;
    const client = clientFields({ firstName, lastName, email: "bo@future.example.org", phones: [] });
    await practice.api.clients.update.mutate({ id: built.second.id, version, client });
    await refuseContact();
    const taker = aClient({ firstName: "Kit", lastName: "Loft", email: left, phones: [] });
    const { id: takerId } = await practice.api.clients.create.mutate(taker);
    expect(await byFunction(left)).toBe(409);
    expect(await mailed({ kind: "clients", clientIds: [takerId] })).not.toBe("sent");
    const party = { clientId: takerId, role: "initiator" as const, side: "" };
    const { parties } = await practice.api.casework.addParty.mutate({ ...(await at()), changeId: newId(), party });
    // Nobody has asked them either, until they get in touch.
    expect(await byFunction(left)).toBe(409);
    await practice.api.conflicts.decide.mutate({
      id: newId(),
      caseId: built.theCase.id,
      decision: "clear",
      reason: "",
    });
    const came = { partyId: parties.at(-1)?.partyId ?? "", to: "responded" as const, on: DAY };
    const why = { reason: "They rang on Tuesday", isOwnDecision: null };
    await practice.api.casework.moveParty.mutate({ ...(await at()), ...came, ...why });
    expect(await byFunction(left)).toBe(200);
  });

  test.each(["withdrawn", "refused"] as const)(
    "when somebody else says that the other is “%s”, then nothing reaches them",
    async (to) => {
      await refuseContact();
      await movedBy(practice, to, "Their friend said so");
      expect(await reached()).toEqual(BY_NONE);
    },
  );

  test.each([false, true])(
    "casework.moveParty: to responded (after withdrawn: %s), then who answers for the case says how they got in touch",
    async (isAfter) => {
      await refuseContact();
      if (isAfter) await movedBy(practice, "withdrawn", "Moved away");
      const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
      expect(await refusal(movedBy(staff, "responded", "They rang"))).toMatchObject({ code: "FORBIDDEN" });
      for (const [reason, why] of [
        ["", "how they got in touch"],
        [".", "in words"],
      ] as const)
        expect(await refusal(movedBy(practice, "responded", reason))).toMatchObject({
          fields: { reason: expect.stringContaining(why) },
        });
      expect(await gateway()).toBe(409);
      await movedBy(practice, "responded", "They rang on Tuesday, sent by their solicitor");
      expect(await gateway()).toBe(200);
    },
  );
});
