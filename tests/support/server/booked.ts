import { clock } from "@app/server/core/clock";
import { MATCHED_WITHIN_MS, matchPicks } from "@app/server/features/bookings/pair-picks.service";
import { BookingPairModel } from "@app/server/features/bookings/pairs.model";
import { newId, newToken } from "@app/server/core/ids";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import type { CreatePair } from "@app/shared/booking-pairs";
import type { BookSlot, CreateLink } from "@app/shared/bookings";
import type { Sent } from "./people.ts";
import { moveTime } from "../access/refusal.ts";
import { mayContact, othersAnswered } from "./contactable.ts";
import { aCase, type Api, type TestPractice } from "./people.ts";

export const aLink = (mediatorId: string, overrides: Partial<CreateLink> = {}): Sent<CreateLink> => ({
  id: newId(),
  name: "First call",
  type: "call",
  title: "Choose a time to talk",
  minutes: 60,
  location: { kind: "phone", place: "" },
  mediatorIds: [mediatorId],
  mediatorChoice: "balanced",
  questions: [],
  needsConfirmation: false,
  noticeHours: 24,
  expiresOn: "",
  useLimit: null,
  deposit: null,
  clientId: null,
  caseId: null,
  ...overrides,
});

export const makeLink = (practice: TestPractice, overrides: Partial<CreateLink> = {}) =>
  practice.api.bookings.createLink.mutate(aLink(practice.ownerId, overrides));

export const SAM = { name: "Sam Okoro", email: "sam.okoro@example.org", phone: "07700 900142" };

/** Later than it is for the server, however late that is in this test. */
const wait = (ms: number) => moveTime(clock.now().getTime() - Date.now() + ms);

/** Opens the page as a visitor, and waits as long as a person takes. */
export async function opened(api: Api, id: string) {
  const page = await api.bookings.page.query({ id });
  wait(5000);
  const { items } = await api.bookings.slots.query({ id, mediatorId: null });
  return { page, times: items };
}

export async function bookAs(api: Api, id: string, overrides: Partial<BookSlot> = {}) {
  const { page, times } = await opened(api, id);
  return api.bookings.book.mutate({
    id,
    version: page.kind === "book" ? page.version : 0,
    mediatorId: null,
    startsAt: times[0] ?? "",
    holder: newToken(),
    timeZone: "America/New_York",
    person: SAM,
    answers: [],
    shownDeposit: page.kind === "book" ? page.deposit : null,
    formToken: page.formToken,
    website: "",
    ...overrides,
  });
}

/** The mails of a practice that are written, the oldest first. */
export async function mailsOf(ownerId: string) {
  const docs = await OutboxModel.find({ ownerId }).sort({ $natural: 1 }).lean();
  return docs.map((doc) => ({ ...contentOf(doc), purpose: doc.purpose, clientId: doc.clientId, partyId: doc.partyId }));
}

export const aPair = (mediatorId: string, of: Pick<CreatePair, "caseId" | "partyIds">): Sent<CreatePair> => ({
  id: newId(),
  type: "call",
  title: "Choose times that suit you",
  minutes: 60,
  location: { kind: "video", place: "" },
  mediatorIds: [mediatorId],
  expiresOn: "",
  ...of,
});

/** As if so much time had passed since they chose that it is looked for what suits both. */
export async function matchLater(): Promise<void> {
  const picksChangedAt = new Date(clock.now().getTime() - MATCHED_WITHIN_MS);
  await BookingPairModel.updateMany({ isUnmatched: true }, { $set: { picksChangedAt } }).setOptions({ anyOwner: true });
  await matchPicks();
}

/** Two parties who may be asked, each with a link of their own, and for whom the first of these times is kept. */
export async function bothPicked(
  practice: TestPractice,
  { api }: Pick<TestPractice, "api">,
  at: readonly number[],
  zones: readonly string[] = [],
) {
  const built = await aCase(practice);
  await mayContact(built.theCase);
  await othersAnswered(built.theCase);
  const partyIds = [built.p1.partyId, built.p2.partyId];
  const of = { caseId: built.theCase.id, partyIds };
  const pair = await practice.api.bookings.createPair.mutate(aPair(practice.ownerId, of));
  const links = pair.sides.map(({ publicId }) => publicId);
  const { times } = await opened(api, links[0] ?? "");
  for (const [side, id] of links.entries()) {
    const { page } = await opened(api, id);
    const sent = { formToken: page.formToken, website: "", timeZone: zones[side] ?? "Europe/London" };
    await api.bookings.pick.mutate({ id, times: at.map((index) => times[index] ?? ""), ...sent });
  }
  await matchLater();
  return { ...built, pair, links, times };
}
