import type { z } from "zod";
import type { freeSlotsSchema, nextFreeSchema } from "@app/shared/meetings";
import { slotsOneByOne } from "@app/shared/slots";
import { DAY_MS, MINUTE_MS } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { hostCalendars } from "./host-calendars.service.ts";

const STEP_MINUTES = 15;
const SLOTS = 3;
const DAYS_AHEAD = 21;

/** The next times of this length at which the mediator works and is free. Notice and the like bind whoever books from outside. */
export async function nextFreeSlots(
  scope: Scope,
  { mediatorId, after, minutes }: z.output<typeof nextFreeSchema>,
): Promise<z.infer<typeof freeSlotsSchema>> {
  const from = Date.parse(after);
  const [host] = await hostCalendars(scope.ownerId, { userIds: [mediatorId], from, to: from + DAYS_AHEAD * DAY_MS });
  const items: { startsAt: string; endsAt: string }[] = [];
  if (!host) return { items };
  const { bufferBeforeMinutes, bufferAfterMinutes } = host.rules;
  const rules = {
    ...host,
    from,
    until: host.knownUntil,
    durationMinutes: minutes,
    stepMinutes: STEP_MINUTES,
    bufferBeforeMinutes,
    bufferAfterMinutes,
    maxPerDay: null,
  };
  for (const start of slotsOneByOne(rules)) {
    const end = start + minutes * MINUTE_MS;
    if (end > host.knownUntil) break;
    items.push({ startsAt: new Date(start).toISOString(), endsAt: new Date(end).toISOString() });
    if (items.length === SLOTS) break;
  }
  return { items };
}
