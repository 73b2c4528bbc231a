// On whose side of a case somebody stands who comes to its meetings: what one party's people know reaches no other party.
import { sidesOfWhoCame } from "@app/server/features/meetings/meetings.migration";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
const EMAIL = "nora@law.example.org";

const at = (id: string, partyId: string | null) => ({
  id,
  caseId: built.theCase.id,
  role: "other" as const,
  partyId,
});

/** Nora, who stands on this party's side of the case, or on nobody's. */
async function nora(partyId: string | null): Promise<string> {
  const { id } = await practice.api.contacts.create.mutate(aContact({ lastName: "Nullside", email: EMAIL }));
  await practice.api.contacts.link.mutate({ changeId: newId(), ...at(id, partyId) });
  return id;
}

const withNora = (personId: string, partyId: string | null) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: built.theCase.id,
      partyIds: [built.p1.partyId, built.p2.partyId],
      isInvitationSent: true,
      allowsOverlap: true,
      others: [{ kind: "contact", personId, role: "lawyer", partyId, signedOn: "" }],
    }),
  );

const lastTextTo = async (partyId: string) => {
  const doc = await OutboxModel.findOne({ ownerId: practice.ownerId, caseId: built.theCase.id, partyId })
    .sort({ createdAt: -1 })
    .lean();
  return doc ? contentOf(doc).text : "";
};

test.each(["lawyer", "supporter", "interpreter", "observer"] as const)(
  "meetings.create: when a %s on nobody’s side is to come for one party, then it asks for their place in the case first",
  async (role) => {
    const personId = await nora(null);
    const { p1, p2, theCase } = built;
    const meeting = { caseId: theCase.id, partyIds: [p1.partyId, p2.partyId] };
    const others = [{ kind: "contact" as const, personId, role, partyId: p2.partyId, signedOn: "" }];
    const booked = practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { ...meeting, others }));
    expect((await refusal(booked)).fields?.["others"]).toContain("stands on nobody’s side");
  },
);

test("compose.check: when somebody came to a meeting for one party before that was refused, then they are that party’s people", async () => {
  const { p2, first, theCase } = built;
  const meeting = await withNora(await nora(null), null);
  const letter = aLetterTo(first.email, { clientId: first.id, caseId: theCase.id, cc: [{ name: "", address: EMAIL }] });
  const codes = async () => (await practice.api.compose.check.mutate(letter)).problems.map(({ code }) => code);
  expect(await codes()).toEqual([]);
  await MeetingModel.updateOne(
    { ownerId: practice.ownerId, _id: meeting.id },
    { $set: { "others.0.partyId": p2.partyId } },
  );
  await sidesOfWhoCame(createLogger("silent"));
  expect(await codes()).toEqual(["other_party"]);
});

test("notices: when somebody who was to come for all stands on one side by now, then no other party hears of them", async () => {
  const { p1, p2, theCase } = built;
  const id = await nora(null);
  const meeting = await withNora(id, null);
  expect(await lastTextTo(p2.partyId)).toContain("Nullside");
  await practice.api.contacts.link.mutate({ changeId: newId(), ...at(id, p1.partyId) });
  await practice.api.contacts.unlink.mutate(at(id, null));
  await practice.api.meetings.reschedule.mutate({
    changeId: newId(),
    id: meeting.id,
    version: meeting.version,
    startsAt: "2031-06-03T09:00:00.000Z",
    endsAt: "2031-06-03T10:00:00.000Z",
    reason: "",
    allowsOverlap: false,
  });
  expect(await lastTextTo(p1.partyId)).toContain("Nullside");
  expect(await lastTextTo(p2.partyId)).not.toContain("Nullside");
  const preview = (partyId: string) => practice.api.partyView.preview.query({ caseId: theCase.id, partyId });
  expect(JSON.stringify(await preview(p2.partyId))).not.toContain("Nullside");
  expect(JSON.stringify(await preview(p1.partyId))).toContain("Nullside");
  await practice.api.contacts.unlink.mutate(at(id, p1.partyId));
  expect(JSON.stringify(await preview(p2.partyId))).not.toContain("Nullside");
  expect(JSON.stringify(await preview(p1.partyId))).toContain("Nullside");
});
