// What the people who come are told of a meeting: each alone, by the ways that are safe for them.
import type { Case } from "@app/shared/cases";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";
import { keptUnaskedIn } from "../ladders/unasked.service.ts";
import { queueMail } from "../outbox/outbox.service.ts";
import { carrierOf } from "../mail/mail-from.service.ts";
import { mapFor, openFor } from "../visibility/for-party.service.ts";
import { hearingNow } from "./heard.ts";
import type { MeetingDoc } from "./meetings.model.ts";
import { ownLinkOf } from "./own-links.service.ts";
import { whyNotByMail } from "./party-mail.service.ts";
import { arrivalOf, type PartyView, partyViews } from "./meetings.visibility.ts";
import { inviterOf, noticeOf, type NoticePurpose, type NoticeWords } from "./notice-words.ts";
import { datesFor, toldBefore } from "./told-before.ts";
import { askToTell, leaveUntold } from "./telling-tasks.service.ts";

/**
 * Tells every party of the meeting that is still to come, or has somebody tell them where they may not be mailed. That it is cancelled is for
 * whoever knows of it; all else for those who are in the case and know it as it stands.
 */
export async function tellParties(scope: Scope, meeting: MeetingDoc, theCase: Case | null, purpose: NoticePurpose) {
  if (meeting.startsAt <= now() && purpose !== "cancellation") return;
  const views = theCase ? await partyViews(scope, meeting, theCase) : [];
  const told = views.filter(({ isFollowing }) => isFollowing || purpose === "cancellation");
  await tellOfChanges(
    scope,
    meeting,
    theCase,
    told.map((view) => ({ ...view, purpose })),
  );
}

/** Reminds everybody who comes; somebody is asked to tell those who came back after it was last arranged. */
export async function remindParties(scope: Scope, meeting: MeetingDoc, theCase: Case): Promise<void> {
  await tellParties(scope, meeting, theCase, "reminder");
  const views = await partyViews(scope, meeting, theCase);
  const following = new Set(views.filter(({ isFollowing }) => isFollowing).map(({ party }) => party.partyId));
  const returned = theCase.parties.filter(
    ({ partyId, leftAt }) => leftAt === null && meeting.partyIds.includes(partyId) && !following.has(partyId),
  );
  for (const party of returned) {
    const startsAt = arrivalOf(meeting, party.partyId);
    const whyNot = "it was arranged while they were not in the case, so they were not told.";
    await askToTell(scope, { meeting, theCase, party, startsAt, purpose: "reminder", whyNot });
  }
}

/** What one party is to be told. */
type Telling = PartyView & { purpose: NoticePurpose };

const MAYBE_BY_PHONE = "nothing says that they heard of it, so only if somebody told them.";

/** The same for these parties alone, each what concerns them. */
export async function tellOfChanges(
  scope: Scope,
  meeting: MeetingDoc,
  theCase: Case | null,
  changes: readonly Telling[],
): Promise<void> {
  if (!theCase || changes.length === 0) return;
  const isKept = await keptUnaskedIn(scope.ownerId, theCase);
  for (const { party, own, purpose } of changes) {
    const client = await getClient(scope, party.clientId);
    const concerned = { meeting, party, theCase };
    // That it is off is for whoever heard of it.
    const hearing = purpose === "cancellation" ? await hearingNow(concerned) : null;
    const whyNot = hearing === "kept back" ? MAYBE_BY_PHONE : await whyNotByMail(scope, theCase, party, client);
    // Whoever must not hear of it is not told in another way either.
    const isUntold = hearing === "nothing" || (hearing === "waiting" && whyNot !== "");
    const isOver = isUntold || (isKept(party.partyId) && hearing !== "heard");
    if (isOver || hearing === "kept back") await leaveUntold(scope, concerned);
    if (isOver) continue;
    const notice = { meeting, party, own, client, purpose, sender: await inviterOf(meeting, client) };
    const { startsAt } = openFor(own, { partyId: party.partyId });
    if (whyNot) await askToTell(scope, { ...notice, theCase, startsAt, whyNot });
    else await mailTo(scope, theCase, notice);
  }
}

type Notice = Omit<NoticeWords, "organiserEmail" | "dates" | "before" | "ownLink"> & Pick<PartyView, "party" | "own">;

async function mailTo(scope: Scope, theCase: Case, { own, ...notice }: Notice): Promise<void> {
  const { address: organiserEmail } = await carrierOf(scope);
  const dates = await datesFor(notice);
  const before = await toldBefore({ ...notice, caseId: theCase.id });
  const ownLink = await ownLinkOf(notice.meeting, notice.party.partyId);
  const content = mapFor(own, (known) => noticeOf(known, { ...notice, organiserEmail, dates, before, ownLink }));
  await queueMail(scope, { purpose: notice.purpose, content });
}
