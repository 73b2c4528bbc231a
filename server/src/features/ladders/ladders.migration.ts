import type { Logger } from "../../core/logger.ts";
import mongoose from "mongoose";
import { z } from "zod";
import { dayIn } from "@app/shared/days";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import { DEFAULT_RUNGS, INVITE_CHANNELS } from "@app/shared/ladders";
import { newId } from "../../core/ids.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { AttemptModel, sealWording } from "./attempts.model.ts";

const caseOfBefore = z.object({
  _id: z.string(),
  ownerId: z.string(),
  domain: z.enum(CASE_DOMAINS),
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
  { _id: caseId, ownerId, domain }: CaseOfBefore,
  { partyId, clientId, invited }: CaseOfBefore["parties"][number],
): Promise<number> {
  const timeZone = await practiceTimeZone(ownerId);
  const lastRung = DEFAULT_RUNGS[domain].length - 1;
  for (const [index, { at, channel }] of invited.entries()) {
    const _id = newId();
    const known = { clientId, channel, rung: Math.min(index, lastRung), on: dayIn(timeZone, at), replyBy: "" };
    await AttemptModel.updateOne(
      { ownerId, caseId, partyId, at },
      { $setOnInsert: { _id, ...known, wordingEnc: sealWording(ownerId, _id, "") } },
      { upsert: true },
    );
  }
  return invited.length;
}
