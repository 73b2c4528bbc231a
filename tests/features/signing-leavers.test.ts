// Who is not to sign any more, and what a document does by itself: neither reaches the others who sign.
import { MINUTE_MS } from "@app/server/core/clock";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { jsPDF } from "jspdf";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";
import { forgetAttempts } from "../support/server/lifetimes.ts";
import { aStaffUser, aVisitor } from "../support/server/people.ts";
import { aPdf, aReadyCase, linksOf, sendOut, signAs, storePdf } from "../support/server/signing.ts";

const log = createLogger("silent");
const { smtp, app, practice } = aSendingPractice();
beforeAll(async () => {
  // Nobody else delivers here.
  await stopJobs();
});
beforeEach(() => forgetAttempts());

async function sentOut(bytes = aPdf()) {
  const { theCase, p1, p2 } = await aReadyCase(practice);
  const file = await storePdf(practice, theCase, { bytes });
  const made = await sendOut(practice, file.id, [p1.partyId, p2.partyId]);
  const links = await linksOf(practice);
  const leave = () =>
    CaseModel.updateOne(
      { ownerId: practice.ownerId, _id: theCase.id, "parties.partyId": p2.partyId },
      { $set: { "parties.$.leftAt": new Date().toISOString(), "parties.$.status": "withdrawn" } },
    );
  return { made, leave, first: links[p1.partyId] ?? "", second: links[p2.partyId] ?? "", p2 };
}
const signing = () => aVisitor(app).api.signatures.signing;
const NOT_NOW = { code: "PRECONDITION_FAILED" };

test("signatures.signing: whoever left the case neither signs nor refuses it, and the other still can", async () => {
  const { leave, first, second } = await sentOut();
  await leave();
  expect(await signing().open.mutate({ token: second })).toMatchObject({ state: "void" });
  expect(await refusal(signAs(aVisitor(app), second))).toMatchObject(NOT_NOW);
  expect(await refusal(signing().decline.mutate({ token: second, reason: "No" }))).toMatchObject(NOT_NOW);
  expect(await signAs(aVisitor(app), first)).toMatchObject({ state: "signed" });
});

const left = async () => {
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  return smtp.received.length;
};
const stateTo = async (partyId: string) =>
  (await OutboxModel.findOne({ ownerId: practice.ownerId, partyId }).lean())?.state;

test("a letter that asks to sign: when the document was withdrawn before it leaves, then it does not leave", async () => {
  const { made } = await sentOut();
  await practice.api.signatures.void.mutate({ id: made.id, reason: "The wrong one" });
  expect(await left()).toBe(0);
});

test("a letter that asks to sign: when they signed or left before it leaves, then it does not leave", async () => {
  const { first, leave, p2 } = await sentOut();
  await signAs(aVisitor(app), first);
  await leave();
  expect(await left()).toBe(0);
  expect(await stateTo(p2.partyId)).toBe("failed");
});

test("a signer's link: when it was shown to a colleague who is then suspended, then it ends, and the owner is asked to send it anew", async () => {
  const { made, first, second, p2 } = await sentOut();
  const permissions = ["clients.read", "documents.manage", "mail.send"] as const;
  const colleague = await aStaffUser(app, practice, { permissions: [...permissions] });
  await colleague.api.signatures.showLink.mutate({ id: made.id, signerId: p2.partyId });
  expect(await signing().open.mutate({ token: second })).toMatchObject({ state: "open" });
  const { items } = await practice.api.staff.list.query();
  await practice.api.staff.suspend.mutate({ id: items.find(({ email }) => email === colleague.email)?.id ?? "" });
  expect(await refusal(signing().open.mutate({ token: second }))).toMatchObject({ code: "NOT_FOUND" });
  expect((await fetch(`${app.url}/signing-documents?token=${second}`)).status).toBe(404);
  expect(await refusal(signing().decline.mutate({ token: second, reason: "" }))).toMatchObject({ code: "NOT_FOUND" });
  const tasks = (await practice.api.tasks.list.query({})).items.map(({ title }) => title);
  expect(
    tasks.filter((title) => /^The link of .* ended, as a colleague had it\. Withdraw it/.test(title)),
  ).toHaveLength(1);
  expect(await signAs(aVisitor(app), first)).toMatchObject({ state: "signed" });
});

test("a sealed PDF does nothing by itself when it is opened, whatever the document did", async () => {
  const pdf = new jsPDF();
  pdf.text("We agree", 20, 20).addJS("app.alert('CANARY')").autoPrint({ variant: "javascript" });
  const bytes = Buffer.from(pdf.output("arraybuffer"));
  expect(bytes.toString("latin1")).toMatch(/\/OpenAction/);
  const { made, first, second } = await sentOut(bytes);
  await signAs(aVisitor(app), first);
  await signAs(aVisitor(app), second);
  const { sealedFileId } = await practice.api.signatures.get.query({ id: made.id });
  const answer = await fetch(`${app.url}/files/${sealedFileId}`, { headers: { cookie: practice.cookies() } });
  const sealed = Buffer.from(await answer.arrayBuffer()).toString("latin1");
  expect(sealed).toMatch(/^%PDF/);
  expect(sealed).not.toMatch(/\/OpenAction|\/JavaScript \d+ \d+ R/);
});
