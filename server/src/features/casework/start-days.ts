// On which day a case started: it has come, and nothing that only a case holds was done before it.
import { whatEnded } from "@app/shared/case-states";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { heldSessions } from "../sessions/session-facts.service.ts";

interface Happened {
  what: string;
  on: string;
}

/** BAD_REQUEST where it is to start later than now, or than what is recorded in it; `before` is null where it is opened. */
export async function assertStart(scope: Scope, startedOn: string, before: CaseDoc | null): Promise<void> {
  // What stood there before anybody checked it keeps nobody from changing the rest of the case.
  if (startedOn === "" || startedOn === before?.startedOn) return;
  await assertNotLater(scope, "startedOn", startedOn);
  if (!before) return;
  const earlier = (await recordedIn(scope, before)).filter(({ on }) => on !== "" && on < startedOn);
  const [first] = earlier.toSorted((one, other) => one.on.localeCompare(other.on));
  if (!first) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    "startedOn",
    `It is recorded that ${first.what} on ${calendarDay(first.on)}. Enter that day or an earlier one, or correct what is recorded of that day first.`,
  );
}

async function recordedIn(scope: Scope, { _id, parties, status, concludedOn }: CaseDoc): Promise<Happened[]> {
  const sessions = await heldSessions(scope, _id);
  return [
    ...parties.flatMap(({ label, consentedOn, agreementSignedOn }) => [
      { what: `${label} consented to mediation`, on: consentedOn },
      { what: `${label} signed the agreement to mediate`, on: agreementSignedOn },
    ]),
    ...sessions.map(({ number, heldOn }) => ({ what: `session ${number} was held`, on: heldOn })),
    { what: `${whatEnded(status)} ended`, on: concludedOn },
  ];
}
