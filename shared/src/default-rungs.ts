// The ladder of a practice that has not changed its own, for each kind of case.
import type { CaseDomain } from "./case-transitions.ts";
import type { InviteChannel, Rung } from "./ladders.ts";

const rung = (channel: InviteChannel, days: readonly [after: number, reply: number], template: string): Rung => ({
  channel,
  afterDays: days[0],
  replyDays: days[1],
  template: `invite-${template}`,
});

/** The ladder of a practice that has not changed its own. */
export const DEFAULT_RUNGS: Record<CaseDomain, readonly Rung[]> = {
  family: [
    rung("email", [0, 10], "family-first"),
    rung("post", [10, 10], "family-second"),
    rung("phone", [10, 7], "family-call"),
  ],
  workplace: [
    rung("email", [0, 5], "workplace-first"),
    rung("email", [5, 5], "workplace-second"),
    rung("phone", [5, 5], "workplace-call"),
  ],
  civil: [
    rung("email", [0, 14], "civil-first"),
    rung("email", [14, 7], "civil-second"),
    rung("phone", [7, 7], "civil-call"),
  ],
  community: [
    rung("post", [0, 10], "general-first"),
    rung("post", [10, 10], "general-second"),
    rung("phone", [10, 7], "general-call"),
  ],
  other: [
    rung("email", [0, 10], "general-first"),
    rung("email", [10, 7], "general-second"),
    rung("phone", [7, 7], "general-call"),
  ],
};
