import { cameOn, newcomersTo } from "@app/shared/newcomers";
import { expect, test } from "vitest";

test("newcomersTo: whoever came in the evening and was entered after midnight came on the day before", () => {
  const joinedAt = new Date("2026-05-15T23:20:00Z");
  const p3 = { partyId: "3", label: "P3", side: "", joinedAt, respondedOn: "2026-05-15", agreementSignedOn: "" };
  const to = { partyId: "1", side: "" };
  const came = (timeZone: string, party = p3) => newcomersTo(to, [party], timeZone).map(({ on }) => on);
  expect(came("Europe/London")).toEqual(["2026-05-15"]);
  expect(came("UTC")).toEqual(["2026-05-15"]);
  expect(came("Europe/London", { ...p3, respondedOn: "2026-05-17" })).toEqual([""]);
  expect(cameOn({ ...p3, respondedOn: "" }, "Europe/London")).toBe("2026-05-16");
  expect(cameOn(p3, "Europe/London")).toBe("2026-05-15");
});
