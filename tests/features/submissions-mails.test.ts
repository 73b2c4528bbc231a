// Mails that whoever fills in a form asks for, and the receipt of what they sent.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { describe, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";
import { aCase, aClient, aVisitor } from "../support/server/people.ts";
import {
  aFormLink,
  aPublishedForm,
  fillableContent,
  generalPlace,
  save,
  submit,
} from "../support/server/submissions.ts";

const { smtp, app, practice } = aSendingPractice();
const log = createLogger("silent");
let networks = 0;
const somebody = () =>
  aVisitor(app, { "x-forwarded-for": `10.8.${Math.floor((networks += 1) / 250)}.${networks % 250}` });
const docs = () => OutboxModel.find({ ownerId: practice.ownerId }).lean();
const mails = async () => (await docs()).map(contentOf);
const anAddress = () => `visitor.${newId()}@example.org`.toLowerCase();

type Place = Awaited<ReturnType<typeof generalPlace>>;
const mailLink = (place: Place, email: string | null, visitor = somebody(), changeId = newId()) =>
  visitor.api.submissions.filling.mailLink.mutate({ ...place, email, changeId });

/** Somebody who came by the general address, and the address that leads back to what they typed. */
async function aStranger() {
  const form = await aPublishedForm(practice);
  const general = await generalPlace(practice, form.id);
  const { resumeId } = await save(somebody(), general, { town: "CANARY" }, { pageId: "second" });
  return { form, general, place: { ...general, userId: resumeId ?? "" } };
}

describe("the link that leads back", () => {
  test("filling.mailLink: of a link of their own, when it is asked for, goes to the client's address alone, once, and opens where they stopped", async () => {
    const { theCase, first } = await aCase(practice);
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
    await save(somebody(), place, { town: "CANARY" }, { pageId: "second" });
    expect((await somebody().api.submissions.filling.open.mutate(place)).mailsTo).toBe("own");
    const changeId = newId();
    for (let time = 0; time < 2; time += 1) await mailLink(place, null, somebody(), changeId);
    const [stored] = await docs();
    expect(stored).toMatchObject({ clientId: first.id, caseId: theCase.id });
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: first.email, cc: [], subject: "Your link" });
    expect(mail?.text).toContain(`/form/${place.formId}/${place.userId}`);
    expect(mail?.text).not.toMatch(/CANARY|Intake|Question|mediat/i);
    expect(JSON.stringify(stored)).not.toContain(place.userId);
    // Whatever address is sent along, it goes to nobody else.
    await mailLink(place, "someone.else@example.org");
    expect((await mails()).map(({ to }) => to)).toEqual([first.email, first.email]);
  });

  test("filling.mailLink: to somebody with a code word, when it leaves, names neither the practice nor what it is about", async () => {
    const client = await practice.api.clients.create.mutate(
      aClient({ email: anAddress(), safeContact: { ...DEFAULT_SAFE_CONTACT, codeWord: "heron" } }),
    );
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id, clientId: client.id });
    await save(somebody(), place, { town: "CANARY" });
    await mailLink(place, null);
    await deliverCaseMail(log);
    expect((await docs()).map(({ state }) => state)).toEqual(["sent"]);
    const [received] = smtp.received.filter(({ source }) => source.includes(client.email));
    expect(received?.source).not.toMatch(/quillfeather|mediat|CANARY/i);
  });

  test("filling.mailLink: of somebody who may not be mailed, when it is open, is not offered, and asked for it leaves nothing", async () => {
    const client = await practice.api.clients.create.mutate(
      aClient({ safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false } }),
    );
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id, clientId: client.id });
    expect((await somebody().api.submissions.filling.open.mutate(place)).mailsTo).toBe("none");
    expect(await refusal(mailLink(place, null))).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(await mails()).toEqual([]);
  });

  test("filling.mailLink: to an address that a stranger types, when it leaves, says nothing of the form, and opens where they stopped", async () => {
    const { place } = await aStranger();
    expect((await somebody().api.submissions.filling.open.mutate(place)).mailsTo).toBe("typed");
    const email = anAddress();
    await mailLink(place, email);
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: email, fromName: "Questions", toName: "" });
    expect(mail?.text).not.toMatch(/CANARY|Intake|Question |mediat|quillfeather/i);
    const [, userId = ""] = /\/form\/[\w-]+\/([\w-]+)/.exec(mail?.text ?? "") ?? [];
    expect(await somebody().api.submissions.filling.open.mutate({ ...place, userId })).toMatchObject({
      answers: { town: "CANARY" },
      pageId: "second",
    });
    await deliverCaseMail(log);
    expect((await docs()).map(({ state }) => state)).toEqual(["sent"]);
  });

  test("filling.mailLink: to a typed address of somebody who may not be mailed, whatever is asked, the answer is the same and nothing leaves", async () => {
    const email = anAddress();
    await practice.api.clients.create.mutate(
      aClient({ email, safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false } }),
    );
    const { place } = await aStranger();
    expect(await mailLink(place, email)).toBe(await mailLink(place, anAddress()));
    expect((await mails()).map(({ to }) => to)).not.toContain(email);
  });

  test("filling.mailLink: before anything is saved, without an address or by a wrong pair, when it is asked for, is refused", async () => {
    const { general, place } = await aStranger();
    const codes = [
      mailLink(general, anAddress()),
      mailLink(place, null),
      mailLink({ ...place, userId: newId() }, null),
    ];
    expect((await Promise.all(codes.map(refusal))).map(({ code }) => code)).toEqual([
      "PRECONDITION_FAILED",
      "PRECONDITION_FAILED",
      "NOT_FOUND",
    ]);
    expect(await mails()).toEqual([]);
  });

  test("S56: a stranger's mailbox, when many networks and forms ask for mails to it, gets two", async () => {
    const email = anAddress();
    for (let form = 0; form < 4; form += 1) expect(await mailLink((await aStranger()).place, email)).toBeNull();
    expect((await mails()).filter(({ to }) => to === email)).toHaveLength(2);
  });

  test("S56: one network or one form, when it asks for many mails, is stopped, and others are not", async () => {
    const network = somebody();
    const { place } = await aStranger();
    const codes = [];
    for (let time = 0; time < 4; time += 1) codes.push((await refusal(mailLink(place, anAddress()))).code);
    expect(codes.at(-1)).toBe("TOO_MANY_REQUESTS");
    for (let time = 0; time < 5; time += 1) await mailLink((await aStranger()).place, anAddress(), network);
    expect(await refusal(mailLink((await aStranger()).place, anAddress(), network))).toMatchObject({
      code: "TOO_MANY_REQUESTS",
    });
    expect(await mailLink((await aStranger()).place, anAddress())).toBeNull();
  });
});

describe("the receipt", () => {
  const fetched = (receipt: string) => fetch(`${app.url}/form-receipts?receipt=${encodeURIComponent(receipt)}`);
  const sentBy = async (place: Place, answers = { town: "Hull", safety: "a secret" }) => {
    const sent = await submit(somebody(), place, { ...answers, children: "no" });
    return sent.state === "sent" ? (sent.receipt ?? "") : "";
  };

  test("GET /form-receipts: right after sending, when it is asked for, has all that they answered and nobody keeps it on the way", async () => {
    const { theCase, first } = await aCase(practice);
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
    const response = await fetched(await sentBy(place));
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(response.headers.get("content-disposition")).toBe("attachment; filename=answers.pdf");
    const words = await wordsOfPdf(new Uint8Array(await response.arrayBuffer()));
    expect(words).toContain("hull");
    expect(words).toContain("a secret");
    expect(words).not.toContain("intake");
  });

  test("GET /form-receipts: after an hour, or with a token that somebody changed, opens nothing", async () => {
    const { place } = await aFormLink(practice, { formId: (await aPublishedForm(practice)).id });
    const receipt = await sentBy(place);
    const changed = `${receipt.slice(0, -4)}AAAA`;
    const answers = [await fetched(changed), await fetched("r".repeat(60)), await fetched("")];
    moveTime(61 * 60_000);
    answers.push(await fetched(receipt));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  });

  test("filling.submit: where the form gives none, or asks about safety, no receipt is offered", async () => {
    const none = await aPublishedForm(practice, { ...fillableContent(), receipt: false });
    const screening = await aPublishedForm(practice, fillableContent(), { kind: "screening" });
    for (const { id } of [none, screening]) {
      const { place } = await aFormLink(practice, { formId: id });
      expect(await sentBy(place)).toBe("");
    }
  });

  test("filling.mailReceipt: asked for, when it leaves, says only that answers arrived, once and to their own address", async () => {
    const { theCase, first } = await aCase(practice);
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
    const receipt = await sentBy(place, { town: "CANARY", safety: "CANARY" });
    const ask = { receipt, changeId: newId(), email: "someone.else@example.org" };
    expect(await mails()).toEqual([]);
    for (let time = 0; time < 2; time += 1) await somebody().api.submissions.filling.mailReceipt.mutate(ask);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: first.email, subject: "Your answers have arrived" });
    expect(mail?.text).not.toMatch(/CANARY|Intake|Question|mediat|http/i);
  });

  test("filling.mailReceipt: of what looks like spam, when it is asked for, nothing leaves", async () => {
    const general = await generalPlace(practice, (await aPublishedForm(practice)).id);
    const sent = await submit(somebody(), general, { town: "Hull", children: "no" }, { website: "filled in" });
    const receipt = sent.state === "sent" ? (sent.receipt ?? "") : "";
    const asked = { receipt, changeId: newId(), email: anAddress() };
    expect(await somebody().api.submissions.filling.mailReceipt.mutate(asked)).toBeNull();
    expect(await mails()).toEqual([]);
  });
});
