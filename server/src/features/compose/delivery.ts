// Case mail leaves here, above the calendar and the inbox: what a mail tells, carries and answers may have changed.
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { keptNow } from "../meetings/leaving-kept.service.ts";
import { noticeNow } from "../meetings/leaving-notices.service.ts";
import { type Delivering, deliverDue } from "../outbox/outbox-delivery.service.ts";
import { letterNow } from "./letter-leaving.ts";

const leavingNow: Delivering["leavingNow"] = (mail, content) => {
  if (content.keptBy) return keptNow(mail, content, content.keptBy);
  return mail.purpose === "letter" ? letterNow(mail, content) : noticeNow(mail, content);
};

/** Delivers what is due of all practices. */
export const deliverCaseMail = (log: Logger): Promise<void> => deliverDue({ log, leavingNow });

// Another round beside one that still runs does no harm: each mail is held by itself.
defineRepeatedJob({
  name: "deliver case mail",
  everyMs: 10 * SECOND_MS,
  takenOverAfterMs: MINUTE_MS,
  run: deliverCaseMail,
});
