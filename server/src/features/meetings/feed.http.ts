import { tokenSchema } from "@app/shared/ids";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { notFound, tooManyRequests } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { countAttempt, type Limit, networkOf } from "../../core/rate-limit.ts";
import { findFeed, readFeed } from "./feed.service.ts";

/** Of one network, for what is nobody's calendar. */
const UNKNOWN: Limit = { tries: 60, pauseMs: MINUTE_MS, longestPauseMs: 10 * MINUTE_MS, memoryMs: 10 * MINUTE_MS };
/** Of one calendar in each minute, by however many devices: what they asked before stops none of them. */
const KNOWN: Limit = { tries: 120, pauseMs: MINUTE_MS, longestPauseMs: MINUTE_MS, memoryMs: MINUTE_MS };

const thisMinute = () => Math.floor(now().getTime() / MINUTE_MS);

async function count(key: string, limit: Limit): Promise<void> {
  const { isAllowed } = await countAttempt(`ical:${key}`, limit);
  if (!isAllowed) throw tooManyRequests("This calendar is asked for too often. Try again later.");
}

/** GET /ical/:token.ics: one person's calendar for their calendar program. A wrong address looks like a missing one. */
export const calendarFeed: RawRoute = {
  access: "public",
  async answer({ req, res, log }) {
    const token = tokenSchema.safeParse(req.params["token"]);
    const found = token.success ? await findFeed(token.data) : null;
    // What is asked for rightly has a count of its own, so that nobody stops others behind the same address.
    if (found) await count(`of:${found._id}:${thisMinute()}`, KNOWN);
    else await count(keyedHash(`ip:${networkOf(req.ip ?? "")}`), UNKNOWN);
    const feed = found && (await readFeed(found, log));
    if (!feed) throw notFound("Calendar");
    res.set({ "Content-Type": "text/calendar; charset=utf-8", ETag: feed.etag, "Cache-Control": "private, no-cache" });
    if (req.headers["if-none-match"] === feed.etag) res.status(304).end();
    else res.send(feed.ics);
  },
};
