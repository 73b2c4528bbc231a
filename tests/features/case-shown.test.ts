// That a party is not safe to mediate is a state that the team works by; when that was found is read as a screening is.
import { newId } from "@app/server/core/ids";
import type { Permission } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const PERMISSIONS: Permission[] = ["clients.read", "clients.write", "calendar.manage"];

test("S71: cases: a party who was found not safe, for somebody without screening.read, is so since they joined, with no step, day or time of it", async () => {
  const { theCase, first, p1, p2 } = await aCase(practice, {}, { isScreened: false });
  const carl = await aStaffUser(app, practice, { permissions: PERMISSIONS });
  const tom = await aStaffUser(app, practice, { permissions: [...PERMISSIONS, "screening.read"] });
  await practice.api.screenings.complete.mutate({ ...aScreening(theCase, p1.partyId), ...NOT_SAFE, id: newId() });
  const partyOf = ({ parties }: Pick<Case, "parties">, partyId = p1.partyId) =>
    parties.find((party) => party.partyId === partyId);
  const known = partyOf(await tom.api.cases.get.query({ id: theCase.id }));
  expect(known).toMatchObject({ status: "not_suitable", lastStep: { from: "to_invite", to: "not_suitable" } });
  const found = known?.leftAt ?? "";
  expect(found > theCase.createdAt).toBe(true);
  const { version } = await carl.api.cases.get.query({ id: theCase.id });
  const change = { id: theCase.id, version, partyId: p2.partyId, role: p2.role, side: p2.side };
  const answers = [
    await carl.api.cases.get.query({ id: theCase.id }),
    ...(await carl.api.cases.ofClient.query({ id: first.id })).items,
    await carl.api.casework.updateParty.mutate({ ...change, consentedOn: "", representativeContactIds: [] }),
  ];
  for (const answer of answers) {
    const { createdAt } = answer;
    expect(partyOf(answer)).toMatchObject({
      status: "not_suitable",
      statusSince: createdAt,
      leftAt: createdAt,
      lastStep: null,
      assessedOn: "",
      absences: [],
    });
    expect(partyOf(answer, p2.partyId)?.leftAt).toBeNull();
  }
});
