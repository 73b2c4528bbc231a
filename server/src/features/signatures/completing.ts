// When all have signed: the page of signatures is put after the document, both are sealed, and kept for those who read it.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { now } from "../../core/clock.ts";
import { INSTALLATION } from "../../core/fair-turns.ts";
import { definePdf } from "../../core/pdf.ts";
import { drawing, fact, gap, heading, paragraph, type PdfDocument, title } from "../../core/pdf-document.ts";
import { publicUrl } from "../../core/settings.ts";
import { systemScope } from "../../core/system-scope.ts";
import { contentOfFile, fileToSend } from "../files/file-content.service.ts";
import { storeFile } from "../files/files.service.ts";
import { practiceDates, practiceNameOf } from "../practices/practices.service.ts";
import { changeSignature } from "./changed-signatures.ts";
import { joinPdfs } from "./pdf-work.ts";
import { sealPdf } from "./sealing.ts";
import type { SignatureDoc, SignerDoc } from "./signatures.model.ts";

const draw = definePdf("The page of signatures is too long.");

/** Seals it once: a second try, of whatever the first left, makes the same bytes under the same id, and so finds them. */
export async function seal(doc: SignatureDoc): Promise<void> {
  const { ownerId, content, fileId, caseId, fileName, _id } = doc;
  const first = await contentOfFile({ ownerId, ...content });
  const second = await draw(INSTALLATION, await signaturePage(doc));
  const joined = await joinPdfs(INSTALLATION, { first: new Uint8Array(first), second: new Uint8Array(second) });
  const sealed = await sealPdf(ownerId, joined, lastSignedAt(doc));
  const source = await fileToSend(ownerId, fileId);
  const file = await storeFile(systemScope(ownerId), Readable.from([sealed]), {
    id: `sealed-${_id}`,
    clientId: source?.clientId ?? null,
    caseId,
    name: signedName(fileName),
    // Whoever may read what was signed by now.
    visibility: source?.visibility ?? content.visibility,
    ...(source ? { mark: source.mark } : {}),
  });
  const sealedHash = createHash("sha256").update(sealed).digest("hex");
  await changeSignature(doc, async (draft) => {
    if (draft.sealedFileId) return null;
    Object.assign(draft, { sealedFileId: file.id, sealedHash, sealedAt: now() });
    draft.note(`Sealed: ${sealedHash}`);
    return draft;
  });
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
        `This page belongs to “${doc.fileName}”, which stands before it. Each person below read it by a link of their own, agreed to sign it electronically, and signed it.`,
      ),
      ...signatures,
      heading("How to check this document"),
      paragraph(
        `${name} sealed it after everybody had signed: any reader of PDFs shows whether it was changed since. It can also be checked at ${publicUrl()}/verify. These are simple electronic signatures.`,
      ),
      fact("Document (SHA-256)", doc.content.hash),
      fact("Record (SHA-256)", doc.trail.at(-1)?.hash ?? ""),
    ],
  };
}

const ofSigner = ({ name, signedAt, mark }: SignerDoc, when: (at: Date) => string) =>
  signedAt && mark
    ? [
        heading(name),
        ...(mark.strokes.length > 0 ? [drawing(mark.strokes)] : []),
        ...(mark.name ? [fact("Typed name", mark.name)] : []),
        fact("Signed", when(signedAt)),
        gap(2),
      ]
    : [];
