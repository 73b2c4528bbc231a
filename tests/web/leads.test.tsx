// What a card of the board says, and where it may be moved.
import { LEAD_STATUSES, type LeadStatus } from "@app/shared/lead-states";
import type { Lead, LeadRow } from "@app/shared/leads";
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import {
  caseFrom,
  clientFrom,
  emptyEnquiry,
  enquiryIn,
  validateEnquiry,
} from "../../web/src/features/leads/lead-record.ts";
import { exactDuration, nextLine } from "../../web/src/features/leads/lead-words.ts";
import { MoveMenu } from "../../web/src/features/leads/move-menu.tsx";
import { noCase } from "../../web/src/features/clients/first-case-fields.tsx";
import { emptyCase } from "../../web/src/features/casework/open-case-dialog.tsx";
import { draw } from "./page.tsx";

const NOW = new Date("2026-11-25T12:00:00.000Z");
const LEAD: LeadRow = {
  id: "l1",
  displayName: "Winifred Dace",
  status: "new",
  statusSince: "2026-11-25T10:00:00.000Z",
  channel: "form",
  source: "self",
  domain: "family",
  reachBy: "",
  isFlagged: false,
  nextStep: "",
  nextOn: "",
  firstResponseAt: null,
  responseDueAt: "2026-11-25T14:24:00.000Z",
  lostReason: null,
  converted: null,
  conflictState: "clear",
  hasTwins: false,
  isSpam: false,
  isFromSpammer: false,
  version: 0,
  createdAt: "2026-11-25T10:00:00.000Z",
  email: "",
  phone: "",
};
const formats = {
  time: (at: string | Date) => new Date(at).toISOString().slice(11, 16),
  shortDay: (day: string) => day,
};
const answered = { firstResponseAt: "2026-11-25T11:00:00.000Z", status: "contacted" } as const;

test.each([
  ["is to be answered today", {}, "Reply by 14:24", false],
  ["is to be answered another day", { responseDueAt: "2026-11-26T09:00:00.000Z" }, "Reply by 2026-11-26, 09:00", false],
  ["was not answered in time", { responseDueAt: "2026-11-25T09:00:00.000Z" }, "Reply late by 3 h", true],
  ["has a step of today", { ...answered, nextStep: "Call back", nextOn: "2026-11-25" }, "Call back, today", false],
  [
    "has a step of yesterday",
    { ...answered, nextStep: "Call back", nextOn: "2026-11-24" },
    "Call back, 2026-11-24",
    true,
  ],
  ["has a step without a day", { ...answered, nextStep: "Sent prices" }, "Sent prices", false],
  ["has no step", answered, "Conflict check clear", false],
  ["was lost", { ...answered, status: "lost", lostReason: "p2_declined" }, "P2 declined", false],
] as const)("the last line: a lead, when it %s, says so", (_what, part, text, isLate) => {
  expect(nextLine({ ...LEAD, ...part }, { now: NOW, timeZone: "Europe/London", formats })).toEqual({ text, isLate });
});

test.each([
  [18, "18 min"],
  [112, "1 h 52 min"],
  [120, "2 h"],
  [1500, "1 day"],
  [5000, "3 days"],
])("a time of %i minutes, when it is said, is as short as can be", (minutes, text) => {
  expect(exactDuration(minutes)).toBe(text);
});

const ITEMS: Record<LeadStatus, string[]> = {
  new: ["Move to Contacted", "Mark as lost"],
  contacted: ["Move to Qualified", "Mark as lost"],
  qualified: ["Move to Awaiting P2", "Mark as lost"],
  awaiting_p2: ["Convert to a case", "Mark as lost"],
  converted: [],
  lost: ["Reopen as new"],
};
test.each(LEAD_STATUSES)(
  "the menu of a card: a lead that is %s, when it is opened, offers its next states alone",
  async (status) => {
    const onStep = vi.fn<(to: LeadStatus) => void>();
    draw(<MoveMenu lead={{ displayName: "Winifred Dace", status }} onStep={onStep} />);
    const [first] = ITEMS[status];
    if (first === undefined) {
      expect(screen.queryByRole("button")).toBeNull();
      return;
    }
    fireEvent.click(screen.getByRole("button", { name: "Move Winifred Dace" }));
    const items = await screen.findAllByRole("menuitem");
    expect(items.map(({ textContent }) => textContent)).toEqual(ITEMS[status]);
    fireEvent.click(screen.getByRole("menuitem", { name: first }));
    expect(onStep).toHaveBeenCalledTimes(1);
  },
);

test("the form of a lead: when nothing is said, nothing is chosen, and the other person is nobody", () => {
  const values = { ...emptyEnquiry("family"), lastName: "Dace" };
  expect(values).toMatchObject({ reachBy: "", source: "" });
  expect(validateEnquiry(values)).toEqual({ source: "Choose how they came" });
  expect(enquiryIn(values)).toBeNull();
  expect(enquiryIn({ ...values, source: "court" })).toMatchObject({ other: null });
});

test("converting: what was said of safe ways, when the form is filled in, goes along, and nothing is decided", () => {
  const other = { firstName: "Gareth", lastName: "Holloway", email: "g@example.org", phone: "", dateOfBirth: "" };
  const enquiry = { ...emptyEnquiry("civil"), firstName: "Winifred", lastName: "Dace", source: "court" as const };
  const lead: Lead = {
    ...LEAD,
    ...enquiry,
    letters: [],
    isReachConfided: false,
    other,
    reachBy: "text",
    reachNote: "Not at night",
    attribution: {
      utmSource: "",
      utmMedium: "",
      utmCampaign: "",
      utmTerm: "",
      utmContent: "",
      referrerHost: "",
      landingPath: "",
    },
    consent: "",
    flags: ["Worried about safety"],
    answers: null,
    conflict: null,
    twins: [],
    lostNote: "",
    steps: [],
    updatedAt: LEAD.createdAt,
    updatedByName: "",
  };
  expect(clientFrom(lead).safeContact).toMatchObject({
    mayText: true,
    mayEmail: false,
    mayPhone: false,
    mayPost: false,
    mayLeaveVoicemail: false,
    note: "Not at night",
  });
  const theCase = caseFrom(lead, noCase(emptyCase("family", { userId: "u1", role: 1 })));
  expect(theCase).toMatchObject({
    isOpened: true,
    otherNew: { firstName: "Gareth", lastName: "Holloway" },
    decision: "",
    theCase: { domain: "civil", issueScope: "", referral: { source: "court" } },
  });
  expect(JSON.stringify(theCase)).not.toContain("g@example.org");
});
