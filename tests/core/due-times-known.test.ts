// A time that lies ahead gives access or delays something: a clock that was wrong must not have done so for a year.
import "@app/server/app";
import { namedTimes } from "@app/server/core/due-times";
import mongoose from "mongoose";
import { expect, test } from "vitest";

/** Times that lie ahead, and why nothing brings them back. */
const NOT_BROUGHT_BACK: Record<string, string> = {
  "Turn.expires_at": "takes away what is of no use any more; decides nothing",
  "RateLimit.open_at": "a pause knows how long it is (`pauseLeftMs`)",
  "RateLimit.expires_at": "set anew by each try, and set right with the pause",
  "TokenBucket.expires_at": "the bucket looks whether it is emptier than it can be (`takeToken`)",
  "PacedMail.due_at": "what would wait for too long is due (`nextDue`)",
  "MailingItem.dueAt": "brought back by the mailing that it belongs to (`mailing-run.ts`)",
  "OutboxMail.scheduledFor": "chosen by a person",
  "Meeting.endsAt": "chosen by a person",
  "SlotHold.endsAt": "of the time that is held, chosen by a person",
  "Meeting.past.endsAt": "chosen by a person",
  "Meeting.past.until": "when a change was made: it is over by then",
  "SealCertificate.endsAt": "what the certificate says of itself",
  "User.absences.to": "when somebody came back: it is over by then",
  "Case.parties.absences.to": "chosen by a person",
  "BusyTimes.to": "of somebody else's calendar",
  "BusyTimes.times.to": "of somebody else's calendar",
  "Clock.doubtful.to": "what the clock said while it was wrong",
  "Customer.subscriptions.current_period_end": "the card payment provider's",
  "Customer.subscriptions.trial_end": "the card payment provider's",
};

/** Named after what has happened, or begins. */
const OVER = [
  /^(at|from|newest|rightAt|startsAt|keptFrom|begunAt|doneAt|leftAt|struckAt|takenBackAt|writtenAt)$/,
  /[sS]ince$/,
  /(ed|seen|[sS]ent)(At|_at)$/,
  /^(signed_in_at|statusSince)$/,
];
const isOver = (path: string): boolean => OVER.some((form) => form.test(path.split(".").at(-1) ?? ""));

function datesOf(schema: mongoose.Schema, place: string): string[] {
  const found: string[] = [];
  schema.eachPath((path, type) => {
    if (type.instance === "Date") found.push(`${place}.${path}`);
    else if (type.schema) found.push(...datesOf(type.schema, `${place}.${path}`));
  });
  return found;
}

const dates = Object.values(mongoose.models).flatMap(({ schema, modelName }) => datesOf(schema, modelName));

test("due times: every time that a record can hold, when it may lie ahead, is brought back or has a reason not to be", () => {
  expect(dates.length).toBeGreaterThan(100);
  const named = new Set([...namedTimes(), ...Object.keys(NOT_BROUGHT_BACK)]);
  expect(dates.filter((path) => !isOver(path) && !named.has(path))).toEqual([]);
});

test("due times: what is named, when the records are looked at, is there, and once", () => {
  const named = [...namedTimes(), ...Object.keys(NOT_BROUGHT_BACK)].filter(
    // By the kind of sign-in, each with its own length.
    (path, at, all) => path !== "AuthSession.expires_at" || all.indexOf(path) === at,
  );
  expect(named.filter((path) => !dates.includes(path))).toEqual([]);
  expect(named).toEqual([...new Set(named)]);
});
