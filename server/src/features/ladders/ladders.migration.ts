import type { Logger } from "../../core/logger.ts";
import mongoose from "mongoose";
import { z } from "zod";
import { dayIn } from "@app/shared/days";
import { INVITE_CHANNELS } from "@app/shared/ladders";
import { newId } from "../../core/ids.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import type { PartyDoc } from "../cases/case-parties.service.ts";
import { AttemptModel, sealOf } from "./attempts.model.ts";
import { isWaiting } from "./waiting-invitations.service.ts";

const caseOfBefore = z.object({
  _id: z.string(),
  ownerId: z.string(),
  parties: z.array(
    z.object({
      partyId: z.string(),
      clientId: z.string(),
      invited: z.array(z.object({ at: z.date(), channel: z.enum(INVITE_CHANNELS) })).default([]),
    }),
  ),
});
type CaseOfBefore = z.infer<typeof caseOfBefore>;

/** Invitations that stood in their case: what was said in them, and until when to answer, nobody noted. */
export async function attemptsOfInvited(log: Logger): Promise<void> {
  const cases = mongoose.connection.collection("cases");
  let moved = 0;
  for await (const doc of cases.find({ "parties.invited.0": { $exists: true } })) {
    const theCase = caseOfBefore.parse(doc);
    for (const party of theCase.parties) moved += await moveInvited(theCase, party);
    await cases.updateOne({ _id: doc._id }, { $unset: { "parties.$[].invited": "" } });
  }
  await cases.updateMany({ "parties.invited": { $exists: true } }, { $unset: { "parties.$[].invited": "" } });
  log.info({ moved }, "invitations became attempts");
}

async function moveInvited(
  { _id: caseId, ownerId }: CaseOfBefore,
  { partyId, clientId, invited }: CaseOfBefore["parties"][number],
): Promise<number> {
  const timeZone = await practiceTimeZone(ownerId);
  for (const { at, channel } of invited) {
    const _id = newId();
    const known = { clientId, channel, on: dayIn(timeZone, at), replyBy: "" };
    await AttemptModel.updateOne(
      { ownerId, caseId, partyId, at },
      { $setOnInsert: { _id, ...known, wordingEnc: sealOf({ ownerId, _id }, "wordingEnc", "") } },
      { upsert: true },
    );
  }
  return invited.length;
}

/** Which step an attempt takes follows from its channel and its day; whether a call reached anybody, nobody was asked. */
export async function attemptsWithoutRungs(log: Logger): Promise<void> {
  const attempts = mongoose.connection.collection("invitation_attempts");
  const { modifiedCount } = await attempts.updateMany(
    { call: { $exists: false } },
    { $set: { call: "", insteadBecauseEnc: null, struckBecauseEnc: null }, $unset: { rung: "" } },
  );
  log.info({ attempts: modifiedCount }, "steps of invitations follow from their channels and days");
}

/** From before it was kept which invitations are written and have not left, and whom nothing else invites. */
export async function invitationsThatWait(log: Logger): Promise<void> {
  const mails = mongoose.connection.collection<{ _id: string }>("email_messages");
  const attempts = mongoose.connection.collection("invitation_attempts");
  await attempts.updateMany({ isWaiting: { $exists: false } }, { $set: { isWaiting: false } });
  const made = attempts.find({ mailId: { $ne: null }, takenBackAt: null });
  const caseIds = new Set<string>();
  for await (const { _id, mailId, caseId } of made) {
    if (!(await mails.findOne({ _id: String(mailId), state: { $in: ["queued", "sending"] } }))) continue;
    await attempts.updateOne({ _id }, { $set: { isWaiting: true } });
    caseIds.add(String(caseId));
  }
  const cases = mongoose.connection.collection<{ _id: string; ownerId: string; parties: PartyDoc[] }>("cases");
  await cases.updateMany(
    { parties: { $elemMatch: { isInvitationWaiting: { $exists: false } } } },
    { $set: { "parties.$[old].isInvitationWaiting": false } },
    { arrayFilters: [{ "old.isInvitationWaiting": { $exists: false } }] },
  );
  for (const _id of caseIds) {
    const theCase = await cases.findOne({ _id });
    for (const [index, party] of theCase?.parties.entries() ?? [])
      if (theCase && (await isWaiting(theCase, _id, party)))
        await cases.updateOne({ _id }, { $set: { [`parties.${index}.isInvitationWaiting`]: true } });
  }
  log.info({ cases: caseIds.size }, "invitations that wait invite nobody yet");
}
