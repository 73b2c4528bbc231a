// Shuttle mediation that is held with each side at another time.
import { newId } from "@app/server/core/ids";
import type { MeetingType } from "@app/shared/meeting-states";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import { aMediatedCase } from "./led.ts";
import { type aCase, aMeetingInput, ledBy, type TestPractice } from "./people.ts";
import { signedBefore } from "./signed.ts";

export type Built = Pick<Awaited<ReturnType<typeof aCase>>, "theCase" | "p1" | "p2">;

export function apart(practice: Pick<TestPractice, "api" | "ownerId">) {
  let hour = 8;

  /** A meeting with these parties, or with this one alone. */
  async function book({ theCase }: Built, partyIds: string | string[], type: MeetingType = "shuttle") {
    hour += 1;
    const on = (minutes: number) => new Date(Date.UTC(2034, 2, 1, hour, minutes)).toISOString();
    const when = { startsAt: on(0), endsAt: on(45) };
    const input = { ...when, type, caseId: theCase.id, partyIds: [partyIds].flat() };
    return practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
  }
  async function start(built: Built, partyIds: string | string[], type: MeetingType = "shuttle") {
    const { id: meetingId } = await book(built, partyIds, type);
    return practice.api.sessions.start.mutate({ id: newId(), caseId: built.theCase.id, meetingId });
  }

  /**
   * Mediates with this party alone, or with these, who come, and without those who were asked too and are missing, to the
   * end and to the lock unless it is left open.
   */
  async function hold(
    built: Built,
    partyIds: string | string[],
    code: SessionOutcomeCode,
    { isLeftOpen = false, missing = [] }: { isLeftOpen?: boolean; missing?: readonly string[] } = {},
  ) {
    const { sessions } = practice.api;
    const came = [partyIds].flat();
    const { id, number } = await start(built, [...came, ...missing]);
    const change = () => ({ id, changeId: newId() });
    for (const partyId of came) await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    for (const partyId of missing) await sessions.setAttendance.mutate({ ...change(), partyId, state: "no_show" });
    const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    if (came.length + missing.length > 1)
      for (const partyId of came) await sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
    await sessions.update.mutate({ ...change(), outcome: { code, text: "" } });
    await sessions.move.mutate({ ...change(), to: "ended" });
    const lock = () => sessions.move.mutate({ ...change(), to: "locked", unmetReason: "As it was agreed" });
    if (!isLeftOpen) await lock();
    return { id, number, lock };
  }
  async function mediated() {
    const built = await aMediatedCase(practice, ledBy(practice.ownerId));
    await signedBefore(practice, built.theCase.id);
    return built;
  }

  const choicesOf = ({ theCase }: Built, { partyId }: { partyId: string }) =>
    practice.api.certificates.mediationChoices.query({ caseId: theCase.id, partyId });

  return { book, start, hold, mediated, choicesOf };
}
