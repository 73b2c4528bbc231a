// What somebody added to a form is in their confidence: the same content goes to nobody else by any other way.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import type { Field } from "@app/shared/form-fields";
import { forParty, SHARED } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { aCase, aVisitor, scopeOf } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, save, submit } from "../support/server/submissions.ts";

const { app, practice, smtp } = aSendingPractice();
const CONTENT = "Sort code 00-00-00, balance 12,345";

/** Of the first of two parties, by a question that these people of the practice may read. */
async function aFormFile(sensitivity: "practice" | "mediator" | "screening", isSent: boolean) {
  const made = await aCase(practice);
  const { maxLength: _none, ...asked } = aShortText("papers", { sensitivity });
  const papers: Field = { ...asked, type: "file", atMost: 2 };
  const form = await aPublishedForm(practice, aFormContent([aFormPage("first", [aShortText("town"), papers])]));
  const link = await aFormLink(practice, { formId: form.id, clientId: made.first.id, caseId: made.theCase.id });
  await save(aVisitor(app), link.place, { town: "Hull" });
  const upload = { ...link.place, id: newId(), fieldId: "papers", name: "bank.txt" };
  const headers = { "content-type": "application/octet-stream" };
  const address = `${app.url}/form-files?upload=${encodeURIComponent(JSON.stringify(upload))}`;
  expect((await fetch(address, { method: "POST", headers, body: CONTENT })).ok).toBe(true);
  if (isSent) await submit(aVisitor(app), link.place, {});
  return made;
}

test.each([
  ["that the practice reads, sent in", "practice", true],
  ["that the mediator alone reads, sent in", "mediator", true],
  ["of safety questions, sent in", "screening", true],
  ["of a form that is still filled in", "practice", false],
] as const)(
  "a file of a form: %s, goes to the other by no mail and by no record",
  async (_what, sensitivity, isSent) => {
    const { theCase, p1, p2, first, second } = await aFormFile(sensitivity, isSent);
    const attachments = [{ mimeType: "text/plain", name: "x.txt", content: Buffer.from(CONTENT).toString("base64") }];
    const toSecond = await sendByFunction(app, practice, INES, { to: [second.email], attachments });
    expect([toSecond.status, smtp.received.length]).toEqual([409, 0]);
    const keep = (visibility: typeof SHARED) =>
      storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(CONTENT)]), {
        name: "statement.txt",
        visibility,
        caseId: theCase.id,
        clientId: null,
      });
    for (const visibility of [SHARED, forParty(p2.partyId)])
      expect(await refusal(keep(visibility))).toMatchObject({ message: expect.stringContaining("is on file already") });
    if (sensitivity === "mediator") return;
    expect(await keep(forParty(p1.partyId))).toMatchObject({ name: "statement.txt" });
    expect((await sendByFunction(app, practice, INES, { to: [first.email], attachments })).status).toBe(200);
  },
);
