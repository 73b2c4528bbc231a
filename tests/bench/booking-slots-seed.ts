// node booking-slots-seed.ts: a practice of three mediators with 2,000 meetings in sixty days and a link to book by, in
// the database of DATA_DIR. Prints the link's id.
import { newId } from "@app/server/core/ids";
import { createPractice } from "@app/server/features/auth/registration";
import { createLink } from "@app/server/features/bookings/links.service";
import { importMeetings } from "@app/server/features/meetings/booking.service";
import { UserModel } from "@app/server/features/users/users.model";
import { DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { scopeOfOwner } from "../../scripts/owner-scope.ts";
import { withDatabase } from "../../scripts/with-database.ts";

const MEETINGS = 2000;
const DAYS = 60;
const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;

await withDatabase(async () => {
  const owner = { firstName: "Ines", lastName: "Marchbank", email: "ines@example.org", password: DEMO_PASSWORD };
  const ownerId = await createPractice(
    { ...owner, practiceName: "Quillfeather", region: "england_wales", mediatorType: "family" },
    { mustBeFirst: false },
  );
  const scope = scopeOfOwner(ownerId, "Ines Marchbank");
  const stored = await UserModel.findById(ownerId).lean();
  if (!stored) throw new Error("the owner was not stored");
  const { _id: _own, ...fields } = stored;
  const others = [newId(), newId()];
  for (const [index, _id] of others.entries())
    await UserModel.create([
      { ...fields, _id, owner_id: ownerId, role: 2, email_address: `mediator${index}@example.org`, permissions: [] },
    ]);
  const mediatorIds = [ownerId, ...others];
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const meetings = Array.from({ length: MEETINGS }, (_, index) => {
    const day = today + Math.floor((index * DAYS) / MEETINGS) * DAY_MS;
    const startsAt = new Date(day + 8 * 2 * HALF_HOUR_MS + (index % 18) * HALF_HOUR_MS);
    return {
      title: "",
      type: "call" as const,
      status: "booked" as const,
      startsAt,
      endsAt: new Date(startsAt.getTime() + HALF_HOUR_MS),
      location: { kind: "phone" as const, place: "" },
      mediatorIds: [mediatorIds[index % mediatorIds.length] ?? ownerId],
      caseId: null,
      partyIds: [],
      clientIds: [],
    };
  });
  await importMeetings(scope, meetings);
  const { publicId } = await createLink(scope, {
    name: "First call",
    type: "call",
    title: "Choose a time to talk",
    minutes: 60,
    location: { kind: "phone", place: "" },
    mediatorIds,
    mediatorChoice: "balanced",
    questions: [],
    needsConfirmation: false,
    deposit: null,
    noticeHours: 24,
    expiresOn: "",
    useLimit: null,
    clientId: null,
    caseId: null,
  });
  console.log(publicId);
});
