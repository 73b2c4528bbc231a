// A signer is asked by a letter with a link of their own, through the same check and gate as any other; whoever may not
// be mailed is asked by a colleague, who gets a task.
import { safeNow } from "@app/shared/clients";
import { linkOf, paragraphOf, paragraphsOf } from "@app/shared/rich-text";
import { waysToReach } from "@app/shared/safe-channels";
import { TRPCError } from "@trpc/server";
import { now } from "../../core/clock.ts";
import { publicUrl } from "../../core/settings.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";
import { sendLetter } from "../compose/compose.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { defineLeavingLetter } from "../outbox/leaving-letters.service.ts";
import { hasLeft } from "./open-signings.ts";
import { askColleague, askMediator } from "./asked-mediators.ts";
import { askable, changeSignature, type Draft, isRunning } from "./changed-signatures.ts";
import {
  isParty,
  type PartySigner,
  type SignatureDoc,
  SignatureModel,
  type SignerDoc,
  signerId,
  tokenFor,
} from "./signatures.model.ts";

/** For whom the practice writes: what is refused to them is a colleague's to do. */
const writerOf = ({ ownerId, createdBy }: Pick<SignatureDoc, "ownerId" | "createdBy">): Scope => ({
  ...systemScope(ownerId),
  userId: createdBy,
});

const isUnasked = ({ askedAt, dueAt, task }: SignerDoc): boolean => askedAt === null && task === "" && dueAt > now();

/** Asks everybody whose turn it is and who was not asked yet: once, in whichever process. */
export async function askSigners(doc: SignatureDoc): Promise<void> {
  for (const asked of askable(doc).filter(isUnasked))
    await changeSignature(doc, async (draft) => {
      const signer = askable(draft).find((one) => signerId(one) === signerId(asked));
      if (!signer || !isUnasked(signer) || !isRunning(draft)) return null;
      if (!isParty(signer)) {
        await askMediator(draft, signerId(signer));
        signer.askedAt = now();
        draft.note(`${signer.name} was asked by a task`);
        return draft;
      }
      const { mailId, whyNot } = await mailSigner(draft, signer, letterTo);
      if (whyNot) {
        signer.task = await askColleague(draft, signer, whyNot);
        draft.note(`${signer.name} cannot be asked by email; a colleague was asked to`);
      } else {
        signer.mailId = mailId;
        signer.askedAt = now();
        draft.note(`${signer.name} was emailed the link`);
      }
      return draft;
    });
}

type Letter = Parameters<typeof sendLetter>[1];
type Write = (draft: Draft, signer: PartySigner, client: { displayName: string; email: string }) => Promise<Letter>;

/** Sends them a letter; the words of what stands in the way where it may not leave. */
export async function mailSigner(
  draft: Draft,
  signer: PartySigner,
  write: Write,
): Promise<{ mailId: string; whyNot: string }> {
  const not = (whyNot: string) => ({ mailId: "", whyNot });
  const scope = writerOf(draft);
  if (await hasLeft({ doc: draft, signer })) return not("They are not in the case any more. Withdraw it, or leave it.");
  const client = await getClient(scope, signer.clientId);
  if (!client.email) return not("There is no email address.");
  if (!safeNow(client).mayEmail) return not(waysToReach(safeNow(client)));
  try {
    const { id } = await sendLetter(scope, await write(draft, signer, client), systemScope(draft.ownerId));
    return { mailId: id, whyNot: "" };
  } catch (error) {
    if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR" && error.code !== "SERVICE_UNAVAILABLE")
      return not(error.message);
    throw error;
  }
}

// What it leads to may be signed, or over, by then.
defineLeavingLetter(async ({ ownerId, mailId }) => {
  const doc = await SignatureModel.findOne({ ownerId, "signers.mailId": mailId }).lean<SignatureDoc>();
  const signer = doc?.signers.filter(isParty).find((one) => one.mailId === mailId);
  if (!doc || !signer) return null;
  if (signer.signedAt) return { stays: "superseded", reason: "They signed before this left." };
  if (!isRunning(doc) || signer.dueAt <= now())
    return { stays: "failed", reason: "The document is not to be signed any more, so this did not leave." };
  if (signer.isLinkOver) return { stays: "failed", reason: "The link in this mail ended before it left." };
  if (await hasLeft({ doc, signer }))
    return { stays: "failed", reason: "This person is not in the case any more, so they are not asked to sign." };
  return null;
});

async function letterTo(
  draft: Draft,
  { partyId, clientId, dueAt }: PartySigner,
  { displayName, email }: { displayName: string; email: string },
): Promise<Letter> {
  const { longDay } = await practiceDates(draft.ownerId);
  const address = `${publicUrl()}/sign/${tokenFor(draft, partyId)}`;
  return {
    clientId,
    caseId: draft.caseId,
    to: [{ name: displayName.slice(0, 100), address: email }],
    cc: [],
    subject: "A document for you to read and sign",
    body: {
      type: "doc",
      content: [
        ...paragraphsOf(draft.words),
        paragraphOf(
          "There is a document for you. Please read it by this link, and sign it there if you agree with it.",
        ),
        linkOf(address),
        ...(draft.isCodeAsked ? [paragraphOf("You will be asked for a code. We give it to you by phone.")] : []),
        paragraphOf(`It is for you alone and works until ${longDay(dueAt)}. Please do not pass it on.`),
      ],
    },
    fileIds: [],
    meetingId: null,
    inReplyTo: "",
    references: [],
    kept: null,
    sendAt: null,
  };
}
