// Who gets a task that the product makes: somebody who works here now and sees what it is about.
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { newId } from "@app/server/core/ids";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { expect, test } from "vitest";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import {
  aCase,
  aMeetingInput,
  aPractice,
  aStaffUser,
  clientFields,
  setPermissions,
  type TestPerson,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const idOf = async ({ email }: Pick<TestPerson, "email">) =>
  (await practice.api.staff.list.query()).items.find((user) => user.email === email)?.id ?? "";

/** Tom booked for somebody who was invited and may not be emailed since, and Hugh, who mediates, cancels it. */
async function cancelledAfter(happens: (tom: TestPerson, tomId: string) => Promise<unknown>) {
  const tom = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "calendar.manage"] });
  const hugh = await aStaffUser(app, practice, { role: 2 });
  const [tomId, hughId] = [await idOf(tom), await idOf(hugh)];
  const built = await aCase(practice, { mediators: [{ userId: hughId, isLead: true }] });
  const input = { caseId: built.theCase.id, partyIds: [built.p1.partyId], isInvitationSent: true };
  const { id, version } = await tom.api.meetings.create.mutate(aMeetingInput(hughId, input));
  await OutboxModel.updateMany({ ownerId: practice.ownerId }, { $set: { state: "sent", sentAt: new Date() } });
  const { version: at, email, firstName, lastName } = await practice.api.clients.get.query({ id: built.first.id });
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
  const client = clientFields({ email, firstName, lastName, safeContact });
  await practice.api.clients.update.mutate({ id: built.first.id, version: at, client });
  await happens(tom, tomId);
  await hugh.api.meetings.cancel.mutate({
    id,
    version,
    changeId: newId(),
    reason: "It is off",
    isLate: false,
    isWholeSeries: false,
  });
  const { items } = await practice.api.tasks.list.query({ caseId: built.theCase.id, assignee: "anyone" });
  const told = items.filter(({ title }) => title.startsWith("Tell P1 that the appointment is cancelled"));
  return told.map(({ assigneeId }) => ({ [tomId]: "Tom", [hughId]: "Hugh" })[assigneeId] ?? "the owner");
}

test.each<[string, string, (tom: TestPerson, tomId: string) => Promise<unknown>]>([
  ["Tom", "nothing changed", () => Promise.resolve()],
  ["Hugh", "was suspended", (_tom, id) => practice.api.staff.suspend.mutate({ id })],
  ["Hugh", "may not read clients any more", (tom) => setPermissions(practice, tom, ["calendar.manage"])],
  ["Hugh", "does not see the case", (tom) => setPermissions(practice, tom, ["clients.read", "assigned_only"])],
])("a task about a meeting is for %s where whoever booked it %s", async (taker, _what, happens) => {
  expect(await cancelledAfter(happens)).toEqual([taker]);
});
