// An invoice and its credit notes on paper, each for its own payer: of another payer nothing stands on them.
import type { Case } from "@app/shared/cases";
import { INVOICE_STATE_NAMES } from "@app/shared/invoice-states";
import { totalsByRate } from "@app/shared/invoice-totals";
import { formatMoney } from "@app/shared/money";
import { REGIONS } from "@app/shared/regions";
import { toldReference } from "@app/shared/told-reference";
import { NO_TIMES } from "@app/shared/visibility";
import type { Dates } from "../../core/dates.ts";
import { notFound } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { definePdf } from "../../core/pdf.ts";
import { fact, gap, heading, paragraph, type PdfDocument, type PdfPart, title } from "../../core/pdf-document.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { letterheadOf, LOGO } from "../letterheads/letterheads.service.ts";
import { caseNumberPrefix, practiceDates, practiceRegion } from "../practices/practices.service.ts";
import { type ForParty, openFor, sealFor, sealForNoParty } from "../visibility/for-party.service.ts";
import { findVisibleDoc } from "./invoice-reading.service.ts";
import { issuerOf } from "./invoice-settings.service.ts";
import { type CreditNoteDoc, CreditNoteModel, type InvoiceDoc, type Issuer } from "./invoices.model.ts";
import { tableContent } from "./paper-parts.ts";

const draw = definePdf("This invoice is too long to print. Shorten its lines.");

/** What stands on the paper of one payer. */
export interface InvoicePaper {
  doc: InvoiceDoc;
  /** The case as this payer may have it named; empty where they may not. */
  reference: string;
}

/** Made for the party who pays, or for nobody of the case. */
export async function paperForPayer(scope: Scope, doc: InvoiceDoc): Promise<ForParty<InvoicePaper>> {
  const theCase = await getCase(scope, doc.caseId);
  const prefix = await caseNumberPrefix(scope.ownerId);
  const { payer } = doc;
  if (payer.kind !== "party") return sealForNoParty(null, { doc, reference: numberOnly(theCase, prefix) }, []);
  const party = theCase.parties.find(({ partyId }) => partyId === payer.partyId);
  if (!party) throw notFound("Invoice");
  const paper = { doc, reference: toldReference(theCase, party, prefix) };
  return sealFor({ theCase, partyId: party.partyId }, paper, [{ visibility: doc.visibility, ...NO_TIMES }]);
}

/** A reference with words in it may name people. */
function numberOnly({ caseRef }: Pick<Case, "caseRef">, prefix: string): string {
  const number = caseRef.startsWith(prefix) ? caseRef.slice(prefix.length) : caseRef;
  return /\p{L}/u.test(number) ? "" : caseRef;
}

interface Drawn {
  number: string;
  bytes: Uint8Array;
}

export async function drawInvoice(scope: Scope, id: string): Promise<Drawn> {
  const paper = openFor(await paperForPayer(scope, await findVisibleDoc(scope, id)), {});
  return { number: paper.doc.number || "draft", bytes: await drawPaper(scope, paper) };
}

export const drawPaper = async (scope: Scope, paper: InvoicePaper): Promise<Uint8Array> =>
  drawIn(scope, paper.doc, (style) => invoiceParts(paper, style), markOf(paper.doc));

export async function drawCreditNote(scope: Scope, id: string): Promise<Drawn> {
  const note = await CreditNoteModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!note) throw notFound("Credit note");
  const doc = await findVisibleDoc(scope, note.invoiceId).catch(() => {
    throw notFound("Credit note");
  });
  const paper = openFor(await paperForPayer(scope, doc), {});
  return {
    number: note.number,
    bytes: await drawIn(scope, doc, (style) => creditNoteParts(paper, note, style), NO_MARK),
  };
}

async function drawIn(
  scope: Scope,
  doc: InvoiceDoc,
  write: (style: Style) => Made,
  mark: { watermark: string },
): Promise<Uint8Array> {
  const style = await styleOf(scope, doc);
  return draw(ofPerson(scope), await documentOf(scope, style, { ...write(style), ...mark }));
}

interface Style {
  dates: Dates;
  locale: string;
  issuer: Issuer;
}

/** An invoice that was issued goes on to say what it said on that day, and so do its credit notes. */
async function styleOf({ ownerId }: Scope, { issuer }: InvoiceDoc): Promise<Style> {
  const [dates, region] = await Promise.all([practiceDates(ownerId), practiceRegion(ownerId)]);
  return { dates, locale: REGIONS[region].locale, issuer: issuer ?? (await issuerOf(ownerId)) };
}

interface Made {
  title: string;
  parts: PdfPart[];
}

const NO_MARK = { watermark: "" };
const markOf = ({ state }: InvoiceDoc) => ({
  watermark: state === "draft" || state === "void" ? INVOICE_STATE_NAMES[state] : "",
});

async function documentOf(
  { ownerId }: Scope,
  { issuer: { name, footer } }: Style,
  { title: heads, parts, watermark }: Made & { watermark: string },
): Promise<PdfDocument> {
  const { logo } = await letterheadOf(ownerId);
  return {
    title: heads,
    footer: [footer || name, heads].join(", "),
    head: { name, mark: "", ...(logo && { logo: LOGO }) },
    images: new Map(logo ? [[LOGO, logo] as const] : []),
    ...(watermark && { watermark }),
    parts,
  };
}

const rate = (basisPoints: number): string => `${basisPoints / 100} %`;
const quantity = (qtyMilli: number): string => String(qtyMilli / 1000);

const fromParts = ({ name, address }: Issuer): PdfPart[] =>
  address === "" ? [] : [fact("From", name), ...address.split("\n").map((each) => fact("", each))];

function invoiceParts({ doc, reference }: InvoicePaper, { dates, locale, issuer }: Style): Made {
  const { currency } = doc;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  const name = doc.number ? `Invoice ${doc.number}` : "Draft invoice";
  const isTaxed = issuer.vatNumber !== "" || doc.vatMinor > 0;
  return {
    title: name,
    parts: [
      title(name),
      fact("To", doc.payerName),
      ...doc.payerAddress.map((each) => fact("", each)),
      ...fromParts(issuer),
      ...(doc.issuedOn ? [fact(isTaxed ? "Date and tax point" : "Date", dates.calendarDay(doc.issuedOn))] : []),
      ...(doc.dueOn && doc.dueMinor > 0 ? [fact("Please pay by", dates.calendarDay(doc.dueOn))] : []),
      ...(reference ? [fact("Our reference", reference)] : []),
      ...(issuer.vatNumber ? [fact("VAT number", issuer.vatNumber)] : []),
      gap(6),
      { kind: "content", content: linesTable(doc, { money, isTaxed }) },
      ...(doc.notes ? [gap(6), ...doc.notes.split("\n").map((line) => paragraph(line))] : []),
      ...howToPay(doc, issuer.bankDetails),
    ],
  };
}

interface Words {
  money: (amountMinor: number) => string;
  isTaxed: boolean;
}

function linesTable(doc: InvoiceDoc, { money, isTaxed }: Words) {
  const within = <Cell>(cells: readonly [Cell, Cell, Cell, Cell, Cell]): Cell[] =>
    isTaxed ? [...cells] : [cells[0], cells[1], cells[2], cells[4]];
  const sum = (label: string, amountMinor: number) => within([label, "", "", "", money(amountMinor)]);
  const paid = doc.creditedMinor + doc.paidMinor > 0;
  return tableContent({
    columns: within([
      { width: 260, isRight: false },
      { width: 95, isRight: true },
      { width: 100, isRight: true },
      { width: 60, isRight: true },
      { width: 110, isRight: true },
    ]),
    headings: within(["For", "Quantity", "Price", "VAT", "Amount"]),
    rows: doc.lines.map((line) =>
      within([
        line.description,
        quantity(line.qtyMilli),
        money(line.unitMinor),
        rate(line.vatRateBp),
        money(line.netMinor),
      ]),
    ),
    totals: [
      ...(isTaxed
        ? [
            sum("Without VAT", doc.netMinor),
            ...totalsByRate(doc.lines)
              .filter(({ vatRateBp }) => vatRateBp > 0)
              .map(({ vatRateBp, vatMinor }) => sum(`VAT at ${rate(vatRateBp)}`, vatMinor)),
          ]
        : []),
      sum("Total", doc.grossMinor),
      ...(doc.creditedMinor > 0 ? [sum("Credited", -doc.creditedMinor)] : []),
      ...(doc.paidMinor > 0 ? [sum("Paid", -doc.paidMinor)] : []),
      ...(paid ? [sum("To pay", doc.dueMinor)] : []),
    ],
  });
}

const howToPay = ({ state, dueMinor }: InvoiceDoc, bankDetails: string): PdfPart[] =>
  bankDetails === "" || dueMinor === 0 || state === "void"
    ? []
    : [heading("How to pay"), ...bankDetails.split("\n").map((line) => paragraph(line))];

function creditNoteParts(
  { doc, reference }: InvoicePaper,
  note: CreditNoteDoc,
  { dates, locale, issuer }: Style,
): Made {
  const { currency } = doc;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  const name = `Credit note ${note.number}`;
  return {
    title: name,
    parts: [
      title(name),
      fact("To", doc.payerName),
      ...doc.payerAddress.map((each) => fact("", each)),
      ...fromParts(issuer),
      fact("Date", dates.calendarDay(note.issuedOn)),
      fact("For invoice", `${doc.number} of ${dates.calendarDay(doc.issuedOn)}`),
      ...(reference ? [fact("Our reference", reference)] : []),
      ...(issuer.vatNumber ? [fact("VAT number", issuer.vatNumber)] : []),
      fact("Reason", note.reason),
      gap(6),
      {
        kind: "content",
        content: tableContent({
          columns: [
            { width: 200, isRight: false },
            { width: 130, isRight: true },
            { width: 130, isRight: true },
            { width: 130, isRight: true },
          ],
          headings: ["VAT rate", "Without VAT", "VAT", "Amount"],
          rows: note.byRate.map(({ vatRateBp, netMinor, vatMinor }) => [
            rate(vatRateBp),
            money(netMinor),
            money(vatMinor),
            money(netMinor + vatMinor),
          ]),
          totals: [["Credited", "", "", money(note.grossMinor)]],
        }),
      },
    ],
  };
}
