// Who had a letter sent stands in the history, also where somebody else wrote it.
import { MINUTE_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { beforeAll, describe, expect, test } from "vitest";
import { aCase, aStaffUser } from "../support/server/people.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";

const log = createLogger("silent");

const { app, practice } = aSendingPractice();
const built = forEachTest(() => aCase(practice));
const tom = forEachTest(() => aStaffUser(app, practice, { permissions: ["clients.read", "mail.read", "mail.send"] }));
// Nobody else delivers here.
beforeAll(stopJobs);

describe("a letter that waits for its time", () => {
  const aLetter = () => ({
    id: newId(),
    ...aLetterTo(built.first.email, { clientId: built.first.id, caseId: built.theCase.id }),
    sendAt: new Date(Date.now() + 60 * MINUTE_MS).toISOString(),
  });
  const told = async () => {
    const { items } = await practice.api.timeline.list.query({ clientId: built.first.id });
    return items.filter(({ kind }) => kind === "mail").map(({ actorName, text }) => `${actorName}: ${text}`);
  };

  test("when a colleague sends it now, then the history names them, and who wrote it", async () => {
    const { id } = await practice.api.compose.send.mutate(aLetter());
    await tom.api.outbox.sendNow.mutate({ id });
    await deliverCaseMail(log);
    expect(await told()).toEqual([`Tom Birch: Message sent to ${built.first.displayName} (written by Ines Marchbank)`]);
  });

  test("when its writer sends it now, then the history names them alone", async () => {
    const { id } = await practice.api.compose.send.mutate(aLetter());
    await practice.api.outbox.sendNow.mutate({ id });
    await deliverCaseMail(log);
    expect(await told()).toEqual([`Ines Marchbank: Message sent to ${built.first.displayName}`]);
  });

  test("when it failed and a colleague tries it again, then the history names them, and who wrote it", async () => {
    const { id } = await practice.api.compose.send.mutate(aLetter());
    await OutboxModel.updateOne(
      { ownerId: practice.ownerId, _id: id },
      { $set: { state: "failed", scheduledFor: null } },
    );
    await tom.api.outbox.retry.mutate({ id, changeId: newId() });
    await deliverCaseMail(log);
    expect(await told()).toEqual([`Tom Birch: Message sent to ${built.first.displayName} (written by Ines Marchbank)`]);
  });
});
