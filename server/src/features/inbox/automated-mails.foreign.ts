import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { bouncesIn, envelopeIdIn, replyIn } from "./automated-mails.ts";

const inputSchema = z.object({
  /** A calendar part, and who sent it. */
  ics: z.string(),
  sender: z.string(),
  /** A delivery report. */
  report: z.string(),
});

export const work = foreignWork(inputSchema, ({ ics, sender, report }) => ({
  reply: ics === "" ? null : replyIn(ics, sender),
  bounces: bouncesIn(report),
  envelopeId: envelopeIdIn(report),
}));
