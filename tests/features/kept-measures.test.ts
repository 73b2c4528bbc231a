// Which arrangements were made for somebody's safety is known of meetings of the calendar: a session without one asks for it.
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice } from "../support/server/people.ts";
import { withMeasures } from "../support/server/screened.ts";
import { screenedCaseOf } from "../support/server/screened-case.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

test("sessions.record: without a meeting and against measures, its question names how it is said that they were kept to", async () => {
  const heldOn = daysAgo(4);
  const found = [{ ...withMeasures("separate_rooms"), heldOn }, { heldOn }];
  const { theCase, both, input } = await screenedCaseOf(practice, found);
  const [startedAt, endedAt] = [`${daysAgo(1)}T10:00:00.000Z`, `${daysAgo(1)}T11:00:00.000Z`];
  const record = (meetingId: string | null, unmetReason = "") =>
    practice.api.sessions.record.mutate({
      id: newId(),
      caseId: theCase.id,
      meetingId,
      startedAt,
      endedAt,
      unmetReason,
    });
  const { unmetReason } = (await refusal(record(null))).fields;
  expect(unmetReason).toContain("What was agreed for their safety: separate rooms.");
  expect(unmetReason).toContain("enter the meeting in the calendar with what was arranged");
  const times = { startsAt: startedAt, endsAt: endedAt, allowsOverlap: true };
  const { id } = await practice.api.meetings.create.mutate(
    input({ partyIds: both, ...times, arrangements: ["separate_rooms"] }),
  );
  expect(JSON.stringify((await record(id, "As it was")).unmet)).not.toContain("separate rooms");
});
