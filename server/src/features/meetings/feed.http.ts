import { tokenSchema } from "@app/shared/ids";
import { MINUTE_MS } from "../../core/clock.ts";
import { notFound, tooManyRequests } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { countAttempt } from "../../core/rate-limit.ts";
import { readFeed } from "./feed.service.ts";

const TRIES = { tries: 60, pauseMs: MINUTE_MS, longestPauseMs: 10 * MINUTE_MS, memoryMs: 10 * MINUTE_MS };

/** GET /ical/:token.ics: one person's calendar for their calendar program. A wrong address looks like a missing one. */
export const calendarFeed: RawRoute = {
  access: "public",
  async answer({ req, res, log }) {
    const taken = await countAttempt(`ical:${req.ip ?? ""}`, TRIES);
    if (!taken.isAllowed) throw tooManyRequests("This calendar is asked for too often. Try again later.");
    const token = tokenSchema.safeParse(req.params["token"]);
    const feed = token.success ? await readFeed(token.data, log) : null;
    if (!feed) throw notFound("Calendar");
    res.set({ "Content-Type": "text/calendar; charset=utf-8", ETag: feed.etag, "Cache-Control": "private, no-cache" });
    if (req.headers["if-none-match"] === feed.etag) res.status(304).end();
    else res.send(feed.ics);
  },
};
