// People who may certify, and what they certify by.
import { newId } from "@app/server/core/ids";
import type { ElsewhereDetails, RecordAssessment } from "@app/shared/assessments";
import { addDays } from "@app/shared/days";
import mongoose from "mongoose";
import { aPractice, type Sent, type TestPerson, type TestPractice } from "./people.ts";
import type { TestApp } from "./test-app.ts";

export const URN = "1234A";

/** Somebody says of themselves that they are accredited, with this number. */
export async function claimAccreditation({ api }: Pick<TestPerson, "api">, urn = URN): Promise<string> {
  const { user } = await api.auth.status.query();
  const {
    isAccreditationConfirmed: _number,
    isChildInclusiveConfirmed: _children,
    ...profile
  } = await api.users.profile.query();
  await api.users.updateProfile.mutate({ ...profile, isAccredited: true, accreditationNumber: urn });
  return user?.userId ?? "";
}

/** The same, and the owner of the practice confirmed it; gives who it is. */
export async function authorise(owner: Pick<TestPractice, "api">, person: Pick<TestPerson, "api"> = owner, urn = URN) {
  const id = await claimAccreditation(person, urn);
  await owner.api.staff.confirmAccreditation.mutate({ id, number: urn, isConfirmed: true });
  return id;
}

/** Somebody may see children: they say that they are registered, and the owner confirmed it. */
export async function registerForChildren(
  owner: Pick<TestPractice, "api">,
  person: Pick<TestPerson, "api"> = owner,
  urn = URN,
) {
  const { user } = await person.api.auth.status.query();
  const profile = await person.api.users.profile.query();
  const { isAccreditationConfirmed: _number, isChildInclusiveConfirmed: _children, ...stated } = profile;
  await person.api.users.updateProfile.mutate({ ...stated, isChildInclusive: true, accreditationNumber: urn });
  const id = user?.userId ?? "";
  await owner.api.staff.confirmAccreditation.mutate({ id, number: urn, what: "child_inclusive", isConfirmed: true });
  return id;
}

/** A practice whose owner may sign certificates. */
export async function anAuthorisedPractice(app: TestApp): Promise<TestPractice> {
  const practice = await aPractice(app);
  await authorise(practice);
  return practice;
}

/** The same where there is no sign-in to do it by. */
export async function authoriseStored(userId: string): Promise<void> {
  const accreditation = { fmca: true, urn: URN, confirmed_at: new Date() };
  await mongoose.connection
    .collection<{ _id: string }>("users")
    .updateOne({ _id: userId }, { $set: { accreditation } });
}

/** A day on which a MIAM can have been whose four months still run, where it is not too many. */
export const daysAgo = (days: number): string => addDays(new Date().toISOString().slice(0, 10), -days);

type Whose = Pick<RecordAssessment, "caseId" | "partyId" | "mediatorId">;

/** A MIAM as the form would send it. */
export const anAssessment = (
  whose: Whose,
  overrides: Partial<Sent<RecordAssessment>> = {},
): Sent<RecordAssessment> => ({
  id: newId(),
  attendedOn: "2026-01-05",
  place: "video",
  where: "",
  minutes: 60,
  phoneReason: "",
  underAgeReason: "",
  hoursReason: "",
  shortReason: "",
  isBriefConfirmed: false,
  company: "alone",
  withPartyIds: [],
  otherPeople: "",
  forms: ["mediation"],
  formsReason: "They can speak with each other.",
  childInclusive: "explained",
  childInclusiveReason: "",
  signposting: "",
  riskAssessment: "done",
  riskReason: "",
  ...whose,
  ...overrides,
});

/** A MIAM of somebody who is screened only later. */
export const anUnscreenedMiam = (whose: Whose, overrides: Partial<Sent<RecordAssessment>> = {}) =>
  anAssessment(whose, { riskAssessment: "not_done", riskReason: "They had to leave", ...overrides });

/** A MIAM that another service held, as the form would send it. */
export const aMiamElsewhere = (
  whose: Pick<RecordAssessment, "caseId" | "partyId">,
  overrides: Partial<ElsewhereDetails> = {},
): Sent<ElsewhereDetails & typeof whose> => ({
  id: newId(),
  attendedOn: "2026-01-05",
  service: "Harbour Mediation",
  mediatorName: "Jo Bell",
  accreditationNumber: "9876B",
  evidenceKind: "certificate",
  evidence: "Their certificate HM-204",
  ...whose,
  ...overrides,
});

/** A certificate that says no more than that this party attended, by somebody who may sign one. */
export async function aCertificate(
  { api }: Pick<TestPerson, "api">,
  whose: Whose,
  { attendedOn = daysAgo(30) }: { attendedOn?: string } = {},
) {
  const { id: assessmentId } = await api.assessments.record.mutate(anAssessment(whose, { attendedOn }));
  return api.certificates.issue.mutate({ id: newId(), assessmentId, statements: [], replaceReason: "" });
}

/** The one that there is. */
export function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error(`there are ${items.length}, not one`);
  return item;
}
