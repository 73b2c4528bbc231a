// Who is told of what signers did, and what there is still to do about it.
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { Permission } from "@app/shared/access";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { wordsTo } from "../support/mail/mailed-links.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, aVisitor, clientFields } from "../support/server/people.ts";
import { aReadyCase, linksOf, sendOut, signAs, storePdf } from "../support/server/signing.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(() => forgetAttempts());
const signing = () => aVisitor(app).api.signatures.signing;
const RIGHTS: Permission[] = ["clients.read", "clients.write", "documents.manage", "mail.send"];
const REFUSED = /Somebody refused to sign a document/;

async function sentBy(sender: Parameters<typeof sendOut>[0] = practice, more: Parameters<typeof sendOut>[3] = {}) {
  const { theCase, p1, p2 } = await aReadyCase(practice);
  const file = await storePdf(practice, theCase);
  const made = await sendOut(sender, file.id, [p1.partyId, p2.partyId], more);
  const links = await linksOf(practice);
  return { theCase, p1, p2, made, first: links[p1.partyId] ?? "", second: links[p2.partyId] ?? "" };
}

async function aClerk() {
  const clerk = await aStaffUser(app, practice, { permissions: RIGHTS });
  const staff = async () => {
    const found = (await practice.api.staff.list.query()).items.find(({ email }) => email === clerk.email);
    if (!found) throw new Error("the clerk is not on the list");
    return found;
  };
  return { sender: { ...practice, ...clerk }, email: clerk.email, staff };
}

const told = async (email: string) => (await wordsTo(email)).filter((words) => REFUSED.test(words)).length;

test.each(["was suspended meanwhile", "does not see the case any more"])(
  "signatures.signing.decline: where whoever sent it out %s, then the owner is told, and they are not",
  async (what) => {
    const { sender, email, staff } = await aClerk();
    const { first } = await sentBy(sender);
    const { id, version } = await staff();
    if (what.startsWith("was")) await practice.api.staff.suspend.mutate({ id });
    else await practice.api.staff.update.mutate({ id, role: 3, version, permissions: [...RIGHTS, "assigned_only"] });
    await signing().decline.mutate({ token: first, reason: "Not these words" });
    expect([await told(practice.email), await told(email)]).toEqual([1, 0]);
  },
);

test("signatures.signing.decline: whoever sent it out and may read it still is told, and the owner is not", async () => {
  const { sender, email } = await aClerk();
  const { first } = await sentBy(sender);
  await signing().decline.mutate({ token: first, reason: "" });
  expect([await told(practice.email), await told(email)]).toEqual([0, 1]);
});

const openTitles = async (caseId: string) =>
  (await practice.api.tasks.list.query({ caseId })).items.map(({ title }) => title);

test.each(["refuse", "withdraw", "sign"] as const)(
  "signatures: the task to ask somebody who may not be mailed ends once they need not sign any more, or did: they %s",
  async (how) => {
    const { theCase, p1, p2 } = await aReadyCase(practice);
    const { version, email, firstName, lastName } = await practice.api.clients.get.query({ id: p2.clientId });
    const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
    const client = clientFields({ firstName, lastName, email, phones: [], safeContact });
    await practice.api.clients.update.mutate({ id: p2.clientId, version, client });
    const file = await storePdf(practice, theCase);
    const made = await sendOut(practice, file.id, [p1.partyId, p2.partyId]);
    expect(await openTitles(theCase.id)).toEqual([expect.stringMatching(/^Ask .+ to sign “Agreement\.pdf”/)]);
    const { address } = await practice.api.signatures.showLink.mutate({ id: made.id, signerId: p2.partyId });
    const token = address.split("/").at(-1) ?? "";
    if (how === "refuse") await signing().decline.mutate({ token, reason: "No" });
    if (how === "withdraw") await practice.api.signatures.void.mutate({ id: made.id, reason: "The wrong one" });
    if (how === "sign") await signAs(aVisitor(app), token);
    expect(await openTitles(theCase.id)).toEqual([]);
  },
);

const readied = (caseId: string, set: object) =>
  CaseModel.updateOne({ _id: caseId, ownerId: practice.ownerId }, { $set: set });

test("signatures: whoever signs the agreement by their link has consented by that, and “ready” does not ask for it again; taken back, they have not", async () => {
  const { theCase, p1, p2, first, second } = await sentBy(practice, { isAgreement: true, confidences: "none" });
  const earlier = { "parties.0.consentedOn": "2026-01-06", "parties.1.consentedOn": "" };
  await readied(theCase.id, { status: "assessing", ...earlier });
  await signAs(aVisitor(app), first);
  await signAs(aVisitor(app), second);
  const { parties, version } = await practice.api.cases.get.query({ id: theCase.id });
  expect(parties).toMatchObject([
    { status: "agreement_signed", consentedOn: "2026-01-06" },
    { status: "agreement_signed", consentedOn: new Date().toISOString().slice(0, 10) },
  ]);
  const ready = practice.api.casework.move.mutate({ id: theCase.id, version, to: "ready", reason: "" });
  expect((await refusal(ready)).message).not.toContain("consent");
  const correction = {
    id: theCase.id,
    version: (await practice.api.cases.get.query({ id: theCase.id })).version,
    reason: "It was for another case",
  };
  const back = await practice.api.casework.correct.mutate({ ...correction, partyId: p2.partyId });
  expect(back.parties[1]).toMatchObject({ status: "suitable", consentedOn: "" });
  const again = await practice.api.casework.correct.mutate({
    ...correction,
    version: back.version,
    partyId: p1.partyId,
  });
  expect(again.parties[0]).toMatchObject({ consentedOn: "2026-01-06" });
});

test("signatures: the task to record a signature on the case ends once it is recorded by hand", async () => {
  const { theCase, p1, first } = await sentBy(practice, { isAgreement: true, confidences: "none" });
  await readied(theCase.id, { "parties.0.status": "miam_attended" });
  await signAs(aVisitor(app), first);
  expect(await openTitles(theCase.id)).toEqual([
    expect.stringContaining("signed the agreement to mediate. The case could not move by itself"),
  ]);
  await readied(theCase.id, { "parties.0.status": "suitable" });
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const step = { to: "agreement_signed" as const, on: new Date().toISOString().slice(0, 10), reason: "" };
  const of = { id: theCase.id, version, partyId: p1.partyId, confidences: "none" as const };
  await practice.api.casework.moveParty.mutate({ ...of, ...step });
  expect(await openTitles(theCase.id)).toEqual([]);
});
