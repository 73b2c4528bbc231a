// A time that suits both is kept: each is asked to confirm it, alone, in their own zone, and as if it were theirs alone.
import { type Client, isRestricted, safeNow } from "@app/shared/clients";
import { cutText } from "@app/shared/cut-text";
import { dayIn } from "@app/shared/days";
import { waysToReach } from "@app/shared/safe-channels";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { forParty, NO_TIMES } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { datesIn } from "../../core/dates.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { keptUnaskedIn } from "../ladders/unasked.service.ts";
import { whyNotByMail } from "../meetings/party-mail.service.ts";
import { queueMail } from "../outbox/outbox.service.ts";
import { practiceNameOf, practiceRegion, practiceTimeZone } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { sealFor } from "../visibility/for-party.service.ts";
import { scopeOf } from "./open-links.service.ts";
import { addressFor } from "./pair-links.ts";
import type { BookingPairDoc } from "./pairs.model.ts";

/** Call it in the transaction that keeps the time. Whoever may not be mailed safely is asked by a colleague. */
export async function askToConfirm(doc: BookingPairDoc, meetingId: string, startsAt: Date): Promise<void> {
  const scope = scopeOf(doc);
  const theCase = await getCase(scope, doc.caseId);
  const isKept = await keptUnaskedIn(doc.ownerId, theCase);
  for (const { partyId, timeZone } of doc.sides) {
    const party = theCase.parties.find((one) => one.partyId === partyId);
    // Whoever must not hear of it is not asked in another way either.
    if (!party || isKept(partyId)) continue;
    const client = await getClient(scope, party.clientId);
    const whyNot = isRestricted(client.safeContact)
      ? waysToReach(safeNow(client))
      : await whyNotByMail(scope, theCase, party, client);
    if (whyNot) {
      await askColleague(doc, client, whyNot);
      continue;
    }
    const address = addressFor(doc, partyId);
    const content = {
      toName: cutText(client.displayName, 100),
      to: client.email,
      subject: "A time for your appointment",
      text: await textFor(doc, { client, startsAt, timeZone, address }),
      attachments: [],
      keptBy: meetingId,
    };
    const visible = [{ visibility: forParty(partyId), ...NO_TIMES }];
    await queueMail(scope, { purpose: "letter", content: sealFor({ theCase, partyId }, content, visible) });
  }
}

interface Kept {
  client: Client;
  startsAt: Date;
  timeZone: string | null;
  address: string;
}

async function textFor({ ownerId }: BookingPairDoc, { client, startsAt, timeZone, address }: Kept): Promise<string> {
  const [region, practiceName] = await Promise.all([practiceRegion(ownerId), practiceNameOf(ownerId)]);
  const dates = datesIn(region, timeZone ?? (await practiceTimeZone(ownerId)));
  return [
    `Dear ${client.displayName},`,
    "",
    `a time that suits you is kept for you with ${practiceName}.`,
    "",
    `When: ${dates.dateTime(startsAt)} (${dates.zone(startsAt)})`,
    "",
    // The same for everybody, whether there was one before or not.
    "If you have an earlier message with a time from us, this one takes its place.",
    `Please confirm it, or say that it does not suit you after all: ${address}`,
    "",
    "If you have a question, answer this message or phone us.",
  ].join("\n");
}

async function askColleague(
  { ownerId, caseId, createdBy }: BookingPairDoc,
  client: Client,
  whyNot: string,
): Promise<void> {
  const title = `A time is kept: ask ${client.displayName}, alone, to open their link and confirm it: ${whyNot}`;
  const dueOn = dayIn(await practiceTimeZone(ownerId), now());
  const task = { title: cutText(title, TASK_TITLE_MAX_LENGTH), dueOn, assigneeId: createdBy };
  await createTasks(scopeOf({ ownerId }), [{ ...task, caseId, clientId: client.id }]);
}
