// A link to a form on its way to its client: by the practice's mail, through the same check and gate as a letter. Whoever
// may not be mailed is told by a colleague, who gets a task.
import { LETTER_PERMISSIONS } from "@app/shared/access";
import type { FormLink, sendFormLinkSchema } from "@app/shared/form-links";
import { type Client, safeNow } from "@app/shared/clients";
import { cutText } from "@app/shared/cut-text";
import { linkOf, paragraphOf, paragraphsOf, type RichText } from "@app/shared/rich-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { scopeNow } from "../access/standing.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { sendLetter } from "../compose/compose.service.ts";
import { defineLeavingLetter } from "../outbox/leaving-letters.service.ts";
import { defineLeavingRight } from "../outbox/leaving-rights.service.ts";
import { waysToReach } from "@app/shared/safe-channels";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { needsOfForm } from "./answer-readers.ts";
import { noteShown } from "./asked-by-links.ts";
import { addressOf, enteredSince, findFormLink, getFormLink, mayHaveAddress, tellOf } from "./form-links.service.ts";
import { type FormLinkDoc, FormLinkModel } from "./form-links.model.ts";

const NEW_ADDRESS = "The link that you had for these questions does not work any more. This one takes its place.";

type Sending = z.output<typeof sendFormLinkSchema>;

export const sendFormLink = (scope: Scope, input: Sending): Promise<FormLink> => hand(scope, input, "sent");
export const remindOfFormLink = (scope: Scope, input: Sending): Promise<FormLink> => hand(scope, input, "reminded");

async function hand(scope: Scope, { id, words }: Sending, kind: "sent" | "reminded"): Promise<FormLink> {
  const doc = await findFormLink(scope, id);
  const link = await getFormLink(scope, id);
  assertOpen(link);
  const client = await getClient(scope, doc.clientId);
  const isTheirs = await mayHaveAddress(scope, doc);
  const whyNot = whyNotByMail(client) || (isTheirs ? "" : await whyNotTo(doc));
  // Whoever may not have the address cannot hand it over either.
  const assigneeId = isTheirs ? scope.userId : scope.ownerId;
  if (whyNot) await askToTell(scope, doc, { client, formName: link.formName, whyNot, assigneeId });
  // What leaves by somebody's own mailbox lies in it, with the address.
  else {
    if (isTheirs) await noteShown(scope, doc);
    await mail(scope, doc, { client, words, kind, sender: isTheirs ? scope : systemScope(scope.ownerId) });
  }
  return getFormLink(scope, id);
}

/**
 * What the practice sends by itself, in the owner's name: a new address in the place of one that ended. Where a mail would
 * not be safe, or is refused, the owner is asked to hand it over.
 */
export async function sendNewAddress(doc: FormLinkDoc): Promise<void> {
  const { ownerId } = doc;
  const scope = systemScope(ownerId);
  const client = await getClient(scope, doc.clientId);
  const { formName } = await getFormLink(scope, doc._id);
  const whyNot = whyNotByMail(client) || (await whyNotTo(doc)) || (await refusedMail(scope, doc, client));
  if (whyNot) await askToTell(scope, doc, { client, formName, whyNot, assigneeId: ownerId });
}

async function refusedMail(scope: Scope, doc: FormLinkDoc, client: Client): Promise<string> {
  try {
    await mail(scope, doc, { client, words: NEW_ADDRESS, kind: "sent", sender: scope });
    return "";
  } catch (error) {
    if (error instanceof TRPCError) return "Its earlier link ended, and the new one cannot be mailed as things stand.";
    throw error;
  }
}

const whyNotByMail = (client: Client): string => {
  if (!client.email) return "There is no email address.";
  return safeNow(client).mayEmail ? "" : waysToReach(safeNow(client));
};

/** To an address that was entered since the link was made, it would be sent by whoever put their own there to read by it. */
const whyNotTo = async (doc: FormLinkDoc): Promise<string> =>
  (await enteredSince(doc)) === ""
    ? ""
    : "Their email address was entered after the link was made, so somebody who may read all of it sends it.";

function assertOpen({ state }: FormLink): void {
  if (state === "done") throw wrongState("This form was sent in already.");
  if (state === "revoked" || state === "expired")
    throw wrongState("This link does not work any more. Make a new one, and send that.");
}

interface Mailing {
  client: Client;
  words: string;
  kind: "sent" | "reminded";
  /** By whose mailbox it leaves. */
  sender: Scope;
}

async function mail(scope: Scope, doc: FormLinkDoc, { client, words, kind, sender }: Mailing): Promise<void> {
  const { clientId, caseId, expiresAt } = doc;
  const { longDay } = await practiceDates(scope.ownerId);
  const body = bodyOf({ words, kind, address: await addressOf(doc), until: longDay(expiresAt) });
  const letter = {
    clientId,
    caseId,
    to: [{ name: client.displayName.slice(0, 100), address: client.email }],
    cc: [],
    subject: kind === "sent" ? "Some questions for you" : "A reminder: some questions for you",
    body,
    fileIds: [],
    meetingId: null,
    inReplyTo: "",
    references: [],
    kept: null,
    sendAt: null,
  };
  const { id: mailId } = await sendLetter(scope, letter, sender);
  await FormLinkModel.updateOne(
    { ownerId: scope.ownerId, _id: doc._id },
    { $push: { mails: { mailId, kind, at: now() } }, $set: { task: "" } },
  );
}

// It lies in the mailbox that it leaves by, so whoever's that is may have the address in that moment too.
defineLeavingRight(async ({ ownerId, mailId, carrierId }, log) => {
  const doc = await FormLinkModel.findOne({ ownerId, "mails.mailId": mailId }).lean();
  if (!doc || carrierId === ownerId) return "";
  const carrier = await scopeNow({ ownerId, userId: carrierId }, LETTER_PERMISSIONS, log);
  if (carrier && (await mayHaveAddress(carrier, doc))) return "";
  return "Whoever sent it may not read all that the form asks any more, so it does not leave by their mailbox. Send the link again.";
});

// What it leads to may be over, or have another address, by then.
defineLeavingLetter(async ({ ownerId, mailId }) => {
  const doc = await FormLinkModel.findOne({ ownerId, "mails.mailId": mailId }).lean();
  const mail = doc?.mails.find((one) => one.mailId === mailId);
  if (!doc || !mail) return null;
  const { state } = await getFormLink(systemScope(ownerId), doc._id);
  if (state === "done") return { stays: "superseded", reason: "The questions were answered before this left." };
  if (state === "revoked") return { stays: "failed", reason: `The link was taken back before this left. ${UNSENT}` };
  if (state === "expired") return { stays: "failed", reason: `The link ended before this left. ${UNSENT}` };
  if (doc.renewedAt && mail.at < doc.renewedAt)
    return { stays: "superseded", reason: "The link has another address by now, which was sent instead." };
  return null;
});

const UNSENT = "Nobody was sent it by this mail.";

function bodyOf({
  words,
  kind,
  address,
  until,
}: {
  words: string;
  kind: string;
  address: string;
  until: string;
}): RichText {
  const asked =
    kind === "sent"
      ? "Please answer some questions by this link. You can stop at any time and go on later, on any phone or computer."
      : "The questions that we sent you are still open. What you have answered so far is kept; this link takes you on.";
  return {
    type: "doc",
    content: [
      ...paragraphsOf(words),
      paragraphOf(asked),
      linkOf(address),
      paragraphOf(`It is for you alone and works until ${until}. Please do not pass it on.`),
    ],
  };
}

async function askToTell(
  scope: Scope,
  doc: FormLinkDoc,
  { client, formName, whyNot, assigneeId }: { client: Client; formName: string; whyNot: string; assigneeId: string },
): Promise<void> {
  const title = cutText(`Give ${client.displayName} the form “${formName}”: ${whyNot}`, TASK_TITLE_MAX_LENGTH);
  const { clientId, caseId } = doc;
  const task = { title, dueOn: await practiceToday(scope.ownerId), assigneeId, caseId, clientId };
  await createTasks(scope, [{ ...task, needs: await needsOfForm(scope.ownerId, doc.formId) }]);
  await FormLinkModel.updateOne({ ownerId: scope.ownerId, _id: doc._id }, { $set: { task: title } });
  await tellOf(scope, doc, `Form to be handed over: ${formName}`);
}
