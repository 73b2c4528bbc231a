// By what ways somebody may be reached without putting them at risk.
import type { SafeContact } from "./clients.ts";
import { INVITE_CHANNELS, type InviteChannel, type LadderRung, type Rung } from "./ladders.ts";

const SWITCH = { email: "mayEmail", post: "mayPost", phone: "mayPhone", text: "mayText" } as const satisfies Record<
  InviteChannel,
  keyof SafeContact
>;

/** Whether what is recorded of somebody allows this way; of a call, also whether a message may be left. */
export const mayReachBy = (safe: SafeContact, channel: InviteChannel, call = ""): boolean =>
  safe[SWITCH[channel]] && (call !== "message" || safe.mayLeaveVoicemail);

export const forbiddenChannels = (safe: SafeContact): InviteChannel[] =>
  INVITE_CHANNELS.filter((channel) => !mayReachBy(safe, channel));

/** The rungs as somebody may be reached: those that are forbidden are tried by another way. */
export const rungsWithin = (rungs: readonly Rung[], safe: SafeContact): LadderRung[] =>
  rungs.map((rung) => (mayReachBy(safe, rung.channel) ? rung : { ...rung, isForbidden: true }));

const WAY_NAMES = [
  ["mayEmail", "email"],
  ["mayPhone", "phone"],
  ["mayText", "text message"],
  ["mayPost", "post"],
] as const;

/** By what ways somebody may be reached, as a sentence; email is left out where it is said already that it is none. */
export function waysToReach(safe: SafeContact, { withEmail = false } = {}): string {
  const ways = WAY_NAMES.filter(([way]) => safe[way] && (withEmail || way !== "mayEmail")).map(([, name]) => name);
  if (ways.length === 0) return "No way to reach this person is marked as safe: ask the mediator.";
  const times = safe.safeTimes ? ` Safe times: ${safe.safeTimes}.` : "";
  const voicemail = safe.mayPhone && !safe.mayLeaveVoicemail ? " Leave no voicemail." : "";
  return `Use ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(ways)}.${times}${voicemail}`;
}
