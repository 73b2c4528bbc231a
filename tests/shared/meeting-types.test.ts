import { MEETING_TYPES, meetingTypesFor, usualMeetingType } from "@app/shared/meeting-states";
import { expect, test } from "vitest";

test("kinds of meeting: a practice is offered what its kind of mediation has, a case of another kind has its own", () => {
  expect(meetingTypesFor("family")).toEqual([...MEETING_TYPES]);
  expect(meetingTypesFor("workplace")).toEqual(["mediation", "call", "supervision", "pre_meeting", "shuttle", "other"]);
  expect(meetingTypesFor("civil", "family")).toEqual([...MEETING_TYPES]);
  expect(meetingTypesFor("family", "workplace")).toEqual(meetingTypesFor("workplace"));
  expect(meetingTypesFor("community", "community", "cim")).toContain("cim");
});

test("kinds of meeting: with one person it begins as the first meeting of its kind of mediation, if that was not held, with two as mediation", () => {
  const [invited, assessed] = [{ status: "responded" as const }, { status: "miam_attended" as const }];
  expect(usualMeetingType("family", [invited])).toBe("miam");
  expect(usualMeetingType("family", [assessed])).toBe("pre_meeting");
  expect(usualMeetingType("workplace", [invited])).toBe("pre_meeting");
  expect(usualMeetingType("workplace", [invited, assessed])).toBe("mediation");
  expect(usualMeetingType("family", [])).toBe("mediation");
});
