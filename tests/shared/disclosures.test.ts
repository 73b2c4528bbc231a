import { PARTY_STATUSES, type PartyStatus } from "@app/shared/case-states";
import { askedOf } from "@app/shared/disclosures";
import { expect, test } from "vitest";

const DAYS = ["respondedOn", "intakeDoneOn", "miamOn", "assessedOn", "consentedOn", "agreementSignedOn"] as const;
const partyIn = (partyId: string, status: PartyStatus, day?: (typeof DAYS)[number]) => ({
  partyId,
  status,
  respondedOn: "",
  intakeDoneOn: "",
  miamOn: "",
  assessedOn: "",
  consentedOn: "",
  agreementSignedOn: "",
  lastStep: null,
  ...(day ? { [day]: "2026-01-05" } : {}),
});
const NEVER_HEARD: readonly PartyStatus[] = ["to_invite", "invited", "no_response", "refused", "withdrawn", "died"];

test.each(PARTY_STATUSES)(
  "whose consent a disclosure takes: of somebody in %s only where they were heard",
  (status) => {
    const first = partyIn("p1", "active");
    const second = partyIn("p2", status);
    expect(askedOf([first, second])).toEqual(NEVER_HEARD.includes(status) ? [first] : [first, second]);
  },
);

test.each(DAYS)("whose consent a disclosure takes: of somebody who left, too, where there is a day %s", (day) => {
  const first = partyIn("p1", "active");
  const gone = partyIn("p2", "withdrawn", day);
  expect(askedOf([first, gone])).toEqual([first, gone]);
});

test("whose consent a disclosure takes: while nobody was heard yet, everybody's", () => {
  const both = [partyIn("p1", "to_invite"), partyIn("p2", "invited")];
  expect(askedOf(both)).toEqual(both);
});
