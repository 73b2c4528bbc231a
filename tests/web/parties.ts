import type { Party } from "@app/shared/cases";

/** Somebody who was not invited yet. */
export const A_PARTY: Party = {
  partyId: "p1",
  clientId: "c1",
  label: "P1",
  name: "Bea Winslow",
  side: "",
  role: "respondent",
  status: "to_invite",
  statusSince: "2026-11-20T12:00:00.000Z",
  joinedAt: null,
  leftAt: null,
  absences: [],
  daysAway: [],
  reason: "",
  lastStep: null,
  respondedOn: "",
  intakeDoneOn: "",
  miamOn: "",
  assessedOn: "",
  assessedAs: null,
  consentedOn: "",
  agreementSignedOn: "",
  contactAgreement: null,
  funding: { type: "private", shareBp: 0, payerContactId: "" },
  representativeContactIds: [],
};
