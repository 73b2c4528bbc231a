// When all have signed: the page of signatures is put after the document, both are sealed, and kept for those who read it.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { cutText } from "@app/shared/cut-text";
import { inWords } from "@app/shared/in-words";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { now } from "../../core/clock.ts";
import { INSTALLATION } from "../../core/fair-turns.ts";
import { definePdf } from "../../core/pdf.ts";
import { drawing, fact, gap, heading, paragraph, type PdfDocument, title } from "../../core/pdf-document.ts";
import { publicUrl } from "../../core/settings.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { contentOfFile, fileToSend, fixMark } from "../files/file-content.service.ts";
import { storeFile } from "../files/files.service.ts";
import { readableOf } from "../files/party-files.service.ts";
import { practiceDates, practiceNameOf, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { changeSignature, type Draft } from "./changed-signatures.ts";
import { signedVisibility } from "./page-readers.ts";
import { joinPdfs } from "./pdf-work.ts";
import { makeSeal, withSeal } from "./sealing.ts";
import { isParty, type SignatureDoc, type SignerDoc } from "./signatures.model.ts";

const draw = definePdf("The page of signatures is too long.");

/** Seals it once: a second try, of whatever the first left, makes the same bytes under the same id, and so finds them. */
export async function seal(doc: SignatureDoc): Promise<void> {
  const { ownerId, content, fileId, caseId, fileName, _id } = doc;
  const first = await contentOfFile({ ownerId, ...content });
  const second = await draw(INSTALLATION, await signaturePage(doc));
  const joined = await joinPdfs(INSTALLATION, { first: new Uint8Array(first), second: new Uint8Array(second) });
  const sealed = await withSeal(ownerId, joined, lastSignedAt(doc), await keptSeal(doc, joined));
  const source = await fileToSend(ownerId, fileId);
  const file = await storeFile(systemScope(ownerId), Readable.from([sealed]), {
    id: `sealed-${_id}`,
    clientId: source?.clientId ?? null,
    caseId,
    name: signedName(fileName),
    visibility: signedVisibility(await getCase(systemScope(ownerId), caseId), {
      readable: source
        ? readableOf(source)
        : { visibility: content.visibility, since: doc.createdAt, changedAt: doc.createdAt },
      partyIds: doc.signers.filter(isParty).map(({ partyId }) => partyId),
    }),
    ...(source ? { mark: source.mark } : {}),
  });
  await fixMark(ownerId, file.id);
  const sealedHash = sha256(sealed);
  await changeSignature(doc, async (draft) => {
    if (draft.sealedFileId) return null;
    Object.assign(draft, { sealedFileId: file.id, sealedHash, sealedAt: now() });
    if (draft.stampedAt) draft.note(`Time stamp of the seal: ${draft.stampedAt.toISOString()}`);
    if (draft.unstampedWhy) await noteUnstamped(draft, draft.unstampedWhy);
    draft.note(`Sealed: ${sealedHash}`);
    return draft;
  });
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * No two seals are alike, where a time is in them: the first that was made is kept before it is used. Nothing is noted
 * meanwhile, as the page of signatures holds the last line of what happened.
 */
async function keptSeal(doc: SignatureDoc, joined: Uint8Array): Promise<Buffer> {
  if (doc.seal) return Buffer.from(doc.seal, "base64");
  const { cms, stamped } = await makeSeal(doc.ownerId, joined, lastSignedAt(doc));
  const how = stamped.stamp ? { stampedAt: stamped.stamp.at } : { unstampedWhy: stamped.why };
  const kept = await changeSignature(doc, async (draft) =>
    // Another process may have made one meanwhile.
    draft.seal ? draft : Object.assign(draft, { seal: cms.toString("base64"), sealHash: sha256(cms), ...how }),
  );
  return Buffer.from(kept?.seal ?? "", "base64");
}

async function noteUnstamped(draft: Draft, why: string): Promise<void> {
  draft.note(`Sealed without a time stamp: ${why}`);
  const { ownerId, caseId, fileName, signers } = draft;
  const title = cutText(
    `“${fileName}” was sealed without a time stamp: ${why}. Check TIMESTAMP_URL`,
    TASK_TITLE_MAX_LENGTH,
  );
  const clientId = signers.find(isParty)?.clientId ?? null;
  const dueOn = await practiceToday(ownerId);
  await createTasks(systemScope(ownerId), [{ title, dueOn, assigneeId: ownerId, caseId, clientId }]);
}

const lastSignedAt = ({ signers, createdAt }: SignatureDoc): Date =>
  signers.reduce((last, { signedAt }) => (signedAt && signedAt > last ? signedAt : last), createdAt);

const signedName = (name: string): string => `${name.replace(/\.pdf$/i, "").slice(0, 180)} (signed).pdf`;

/** What every signer sees of the others is who signed, when and how; nothing of where from. */
async function signaturePage(doc: SignatureDoc): Promise<PdfDocument> {
  const { dateTime, zone } = await practiceDates(doc.ownerId);
  const when = (at: Date) => `${dateTime(at)} (${zone(at)})`;
  const name = await practiceNameOf(doc.ownerId);
  const signatures = doc.signers.flatMap((signer) => ofSigner(signer, when));
  return {
    title: "Signatures",
    madeAt: lastSignedAt(doc),
    footer: `Signatures to “${doc.fileName}”`,
    parts: [
      title("Signatures"),
      paragraph(
        `This page belongs to “${doc.fileName}”, which stands before it. Each person below read it, by a link of their own or signed in, agreed to sign it electronically, and signed it.`,
      ),
      ...(doc.isCodeAsked ? [paragraph(codeWords(doc))] : []),
      ...signatures,
      heading("How to check this document"),
      paragraph(
        `${name} sealed it after everybody had signed. A reader of PDFs shows whether it was changed since. It can also be checked at ${publicUrl()}/verify. These are simple electronic signatures.`,
      ),
      fact("Document (SHA-256)", doc.content.hash),
      fact("Record (SHA-256)", doc.trail.at(-1)?.hash ?? ""),
    ],
  };
}

/** That somebody who had the link gave the code too is said, as it then proves less. */
function codeWords({ signers }: SignatureDoc): string {
  const held = signers.filter(({ isHeldByOne }) => isHeldByOne).map(({ name }) => name);
  return held.length === 0
    ? "Each party typed a code before they read it, which the practice had given them by phone."
    : `Each party typed a code before they read it. Whoever of the practice made the code for ${inWords(held)} had been shown the link too, such as for signing in the office.`;
}

const ofSigner = ({ name, userId, signedAt, mark }: SignerDoc, when: (at: Date) => string) =>
  signedAt && mark
    ? [
        heading(name),
        ...(userId ? [fact("Signs as", "Mediator")] : []),
        ...(mark.strokes.length > 0 ? [drawing(mark.strokes)] : []),
        ...(mark.name ? [fact("Typed name", mark.name)] : []),
        fact("Signed", when(signedAt)),
        gap(2),
      ]
    : [];
