import { DAY_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { removeWhatIsOver } from "@app/server/core/removals";
import { ImportChunkModel, ImportModel } from "@app/server/features/imports/imports.model";
import { contactsOfMails } from "@app/server/features/outbox/outbox.migration";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { richTextOf } from "@app/shared/rich-text";
import { afterEach, expect, test, vi } from "vitest";
import { imported, uploaded } from "../support/hostile/import-uploads.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aCase, aPractice, PASSWORD } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { aSureClock, passTime } from "../support/clocks/sure-clock.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const LIST = "First name,Surname\nMaya,Ellery";

const app = forAllTests(startTestApp);
afterEach(() => vi.restoreAllMocks());

test("imports: their rows are over, then a file that waits says so, one in work goes on, and none can be undone", async () => {
  const practice = await aPractice(app);
  const [waitingId, workingId] = [await uploaded(app, practice, LIST), await uploaded(app, practice, LIST)];
  const { id: doneId } = await imported(app, practice, LIST);
  await passTime(34 * DAY_MS);
  await ImportModel.updateOne({ ownerId: practice.ownerId, _id: workingId }, { $set: { status: "undoing" } });
  await removeWhatIsOver(createLogger("silent"));
  const left = await ImportChunkModel.distinct("importId", { ownerId: practice.ownerId });
  expect(left).toEqual([workingId]);
  await practice.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD, isRemembered: false });
  const { status, failure } = await practice.api.imports.get.query({ id: waitingId });
  expect({ status, failure }).toEqual({ status: "mapping", failure: expect.stringContaining("Choose the file again") });
  expect(await refusal(practice.api.imports.undo.mutate({ id: doneId, keepsChanged: false }))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("more than 30 days old"),
  });
});

test("imports.undo: an import that is older than thirty days, as long as its rows are there, is undone", async () => {
  const practice = await aPractice(app);
  const { id } = await imported(app, practice, LIST);
  await aSureClock();
  const long = new Date(Date.now() - 32 * DAY_MS);
  await ImportChunkModel.updateMany({ ownerId: practice.ownerId, importId: id }, { $set: { keptFrom: long } });
  await removeWhatIsOver(createLogger("silent"));
  expect(await practice.api.imports.undo.mutate({ id, keepsChanged: false })).toEqual({ outcome: "started" });
});

test("imports.undo: one contact got the copy of a letter and another stands on the list of a mailing, then both are kept", async () => {
  const practice = await aPractice(app);
  const { first } = await aCase(practice);
  const list =
    "First name,Surname,Email\nLena,Brook,lena@example.org\nOwen,Castell,owen@example.org\nPetr,Strand,petr@example.org";
  const { id } = await imported(app, practice, list, { kind: "contacts" });
  const letter = aLetterTo(first.email, { clientId: first.id, cc: [{ name: "", address: "LENA+office@example.org" }] });
  await practice.api.compose.send.mutate({ id: newId(), ...letter, sendAt: null });
  const source = { kind: "csv" as const, csv: "Email\nowen@example.org" };
  const text = { subject: "We move", body: richTextOf("To 4 Kiln Row.") };
  await practice.api.mailings.create.mutate({ ...text, id: newId(), perMinute: 0, source });
  const inUse = expect.stringContaining("in use");
  expect(await practice.api.imports.undo.mutate({ id, keepsChanged: false })).toEqual({
    outcome: "changed",
    total: 2,
    items: [
      { row: 2, name: "Lena Brook", reason: inUse },
      { row: 3, name: "Owen Castell", reason: inUse },
    ],
  });
});

test("imports.undo: a letter of before it was noted whom it went to, then its contact is kept too", async () => {
  const practice = await aPractice(app);
  const { first } = await aCase(practice);
  const { id } = await imported(app, practice, "Surname,Email\nBrook,lena.b@example.org", { kind: "contacts" });
  const letter = aLetterTo(first.email, { clientId: first.id, cc: [{ name: "", address: "lena.b@example.org" }] });
  await practice.api.compose.send.mutate({ id: newId(), ...letter, sendAt: null });
  await OutboxModel.collection.updateMany({ ownerId: practice.ownerId }, { $unset: { contactIds: "" } });
  await contactsOfMails();
  expect(await practice.api.imports.undo.mutate({ id, keepsChanged: false })).toMatchObject({ total: 1 });
});
