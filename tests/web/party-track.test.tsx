// How far each party came: what was found of somebody stays what it was, whatever they did since.
import type { Party } from "@app/shared/cases";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { leftText, PartyTrack } from "../../web/src/features/casework/party-track.tsx";
import { draw } from "./page.tsx";
import { A_PARTY } from "./parties.ts";
import { STATUS } from "./signed-in.ts";

const LEFT: Party = {
  ...A_PARTY,
  status: "withdrawn",
  leftAt: "2026-11-18T12:00:00.000Z",
  respondedOn: "2026-11-10",
  intakeDoneOn: "2026-11-11",
  miamOn: "2026-11-12",
  assessedOn: "2026-11-18",
};

test.each([
  ["not_suitable", "Not suitable"],
  ["suitable_with_measures", "Suitable, with measures"],
  ["suitable", "Suitable"],
  [null, "Assessment"],
] as const)("the track of somebody who withdrew: found %s, it says “%s”", (assessedAs, words) => {
  rememberSession(STATUS);
  draw(<PartyTrack domain="family" party={{ ...LEFT, assessedAs }} reached={null} waitingDays={null} isOver={false} />);
  expect(screen.getByText(words, { exact: true })).toBeDefined();
});

const FORMATS = { day: (at: string | Date) => String(at).slice(0, 10), calendarDay: (day: string) => day };
const step = (on: string, to: "withdrawn" | "invited" = "withdrawn") => ({
  from: "responded" as const,
  to,
  at: "2026-11-26T10:00:00.000Z",
  on,
  isOwnDecision: null,
});
const told = (lastStep: ReturnType<typeof step> | null) =>
  leftText({ domain: "family", region: "england_wales" }, { status: "withdrawn", lastStep }, FORMATS);

test("whoever left: when it was recorded later, then both days are told, and one where they are the same or nothing is known", () => {
  expect(told(step("2026-11-16"))).toBe("Withdrawn on 2026-11-16; recorded 2026-11-26");
  expect(told(step("2026-11-26"))).toBe("Withdrawn on 2026-11-26");
  expect(told(step(""))).toBe("Withdrawn");
  expect(told(null)).toBe("Withdrawn");
});
