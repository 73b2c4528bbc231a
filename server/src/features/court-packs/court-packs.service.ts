// What of a case may be put before a court, as one PDF: a page of contents, and open papers alone.
import { z } from "zod";
import type { Case } from "@app/shared/cases";
import type { CourtPackInput, CourtPackPreview } from "@app/shared/court-packs";
import { inWords } from "@app/shared/in-words";
import { mayBeNamedTo, untoldIn } from "@app/shared/told-parties";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import { type Asker, ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { defineDrawing } from "../../core/pdf.ts";
import { fact, heading, paragraph, type PdfPart, title } from "../../core/pdf-document.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { drawCertificate } from "../certificates/certificate-paper.service.ts";
import { listCertificates } from "../certificates/certificates.service.ts";
import type { CaseFile } from "../files/open-files.service.ts";
import { practiceDates, practiceNameOf } from "../practices/practices.service.ts";
import { chooseFiles } from "./court-pack-files.ts";
import type { work as workCount } from "./count-pages.foreign.ts";
import type { work as workJoin } from "./join-pack.foreign.ts";

const COUNT_MS = 5000;
const JOIN_MS = 30_000;
const CANNOT_BE_READ = "It is locked, damaged or very long: give it to the court by itself";

const tooMuch = () =>
  wrongState("These files are too many to be one PDF. Give the court some of them by themselves, and take them out.");

const draw = defineDrawing("The contents of this pack are too long to be printed. Give shorter names to the files.");
const join = defineForeign<typeof workJoin>({
  file: new URL("./join-pack.foreign.ts", import.meta.url),
  output: z.instanceof(Uint8Array),
  limitMs: JOIN_MS,
  lane: "drawing",
  refuse: tooMuch,
});
/** 0 for what nobody can join, also where looking at it takes too long. */
const unreadable = new Error("this file cannot be joined");
const countIn = defineForeign<typeof workCount>({
  file: new URL("./count-pages.foreign.ts", import.meta.url),
  output: z.number().int(),
  limitMs: COUNT_MS,
  lane: "drawing",
  refuse: () => unreadable,
});

/** For whoever is about to ask for it: what goes, and what does not and why. */
export async function previewCourtPack(scope: Scope, input: CourtPackInput): Promise<CourtPackPreview> {
  const theCase = await getCase(scope, input.caseId);
  const { included, notes, leftOut } = await chooseFiles(scope, theCase, input.partyId);
  const certificates = await certificatesFor(scope, theCase, input.partyId);
  return {
    included: [
      ...certificates.map(({ id, number }) => ({ id, name: `Certificate ${number}`, note: "" })),
      ...included.map(({ id, name }) => ({ id, name, note: notes.get(id) ?? "" })),
    ],
    leftOut: leftOut.map(({ file: { id, name }, why }) => ({ id, name, why })),
  };
}

/** Of the party who asked for the pack alone, and none that is void. */
async function certificatesFor(scope: Scope, theCase: Case, partyId: string | null) {
  if (partyId === null) return [];
  const party = requireParty(theCase, partyId);
  // What was shared since is not theirs to have.
  if (party.leftAt !== null)
    throw wrongState(`${party.name} has left this case. Give them their own papers from their page instead.`);
  const { items } = await listCertificates(scope, theCase.id);
  return items.filter((certificate) => certificate.partyId === partyId && certificate.status !== "void");
}

interface PackPart {
  title: string;
  kind: "pdf" | "png" | "jpeg";
  bytes: Uint8Array<ArrayBuffer>;
  pages: number;
}

/** Throws PRECONDITION_FAILED where there is nothing that a court may be given. */
export async function drawCourtPack(scope: Scope, { caseId, partyId }: CourtPackInput): Promise<Uint8Array> {
  const theCase = await getCase(scope, caseId);
  const { included, leftOut } = await chooseFiles(scope, theCase, partyId);
  const asker = ofPerson(scope);
  const parts: PackPart[] = [];
  for (const { id } of await certificatesFor(scope, theCase, partyId)) {
    const { number, bytes } = await drawCertificate(scope, id);
    parts.push(await counted(asker, { title: `Certificate ${number}`, kind: "pdf", bytes: new Uint8Array(bytes) }));
  }
  const unread: CaseFile[] = [];
  for (const file of included) {
    const part = await counted(asker, {
      title: file.name,
      kind: kindOf(file),
      bytes: new Uint8Array(await file.read()),
    });
    if (part.pages > 0) parts.push(part);
    else unread.push(file);
  }
  if (parts.length === 0)
    throw wrongState("There is nothing in this case that a court may be given. Look at what is left out, and why.");
  const apart = [
    // Only what is open is named: a court is not told what else there is.
    ...leftOut.filter(({ isOpen }) => isOpen).map(({ file, why }) => ({ name: file.name, why })),
    ...unread.map(({ name }) => ({ name, why: CANNOT_BE_READ })),
  ];
  const contents = await contentsOf(scope, { between: namedIn(theCase, partyId), parts, apart });
  const madeAt = now();
  const all = [{ title: "Contents", kind: "pdf" as const, bytes: contents }, ...parts];
  return join(asker, {
    parts: all.map(({ title: name, kind, bytes }) => ({ title: name, kind, bytes })),
    title: "Court pack",
    madeAt,
  });
}

const kindOf = ({ mime }: CaseFile): PackPart["kind"] =>
  mime === "image/png" ? "png" : mime === "image/jpeg" ? "jpeg" : "pdf";

async function counted(asker: Asker, part: Omit<PackPart, "pages">): Promise<PackPart> {
  const { kind, bytes } = part;
  const pages = await countIn(asker, { kind, bytes }).catch((error: unknown) => {
    if (error === unreadable) return 0;
    throw error;
  });
  return { ...part, pages };
}

/** Whom it names: for one party those of whom they were told, else everybody, once each knows of the others. */
function namedIn(theCase: Case, partyId: string | null): string {
  const present = theCase.parties.filter(({ leftAt }) => leftAt === null);
  if (partyId === null) return untoldIn(theCase) ? "" : inWords(present.map(({ name }) => name));
  const party = requireParty(theCase, partyId);
  return inWords(
    present.filter((other) => other === party || mayBeNamedTo(theCase, party, other)).map(({ name }) => name),
  );
}

interface Contents {
  /** The names of those who take part; empty where not all of them were told of each other. */
  between: string;
  parts: readonly PackPart[];
  apart: readonly { name: string; why: string }[];
}

/** Where each begins depends on how many pages the contents themselves have. */
async function contentsOf(scope: Scope, contents: Contents): Promise<Uint8Array<ArrayBuffer>> {
  const first = await drawContents(scope, contents, 1);
  const drawn = first.pages === 1 ? first : await drawContents(scope, contents, first.pages);
  return new Uint8Array(drawn.bytes);
}

async function drawContents(scope: Scope, { between, parts, apart }: Contents, ownPages: number) {
  const [practiceName, dates] = await Promise.all([practiceNameOf(scope.ownerId), practiceDates(scope.ownerId)]);
  const entries: PdfPart[] = [];
  let page = ownPages + 1;
  for (const part of parts) {
    entries.push(fact(`Page ${page}`, part.title));
    page += part.pages;
  }
  const madeAt = now();
  return draw(ofPerson(scope), {
    title: "Court pack",
    footer: "Open: this may be shown to a court.",
    head: { name: practiceName, mark: "OPEN" },
    madeAt,
    parts: [
      title("Court pack"),
      paragraph(`Put together by ${practiceName} on ${dates.day(madeAt)}. Every paper in it is marked as open.`),
      ...(between === "" ? [] : [fact("Between", between)]),
      heading("Contents"),
      ...entries,
      ...(apart.length > 0
        ? [heading("Not in this pack"), ...apart.map(({ name, why }) => paragraph(`${name}. ${why}.`))]
        : []),
    ],
  });
}
