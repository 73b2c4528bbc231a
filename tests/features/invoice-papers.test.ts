// An invoice that was issued says for ever what it said on that day, whatever becomes of the practice's settings.
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { aLine, invoiceSettings, issuedInvoice, partyPayer, registeredForVat } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const printed = async (path: string) => (await pdfText(app, practice, path)).toLowerCase();
const paper = (id: string) => printed(`/export/invoices/${id}.pdf`);

test("an invoice with VAT: name, address and number of the practice stand on it, and on its credit note with the day of the invoice", async () => {
  await registeredForVat(practice);
  const { theCase, p1 } = await aCase(practice);
  const { id, version } = await issuedInvoice(practice, theCase.id, partyPayer(p1), {
    lines: [aLine({ vatRateBp: 2000 })],
  });
  const text = await paper(id);
  for (const words of [practice.practiceName, "4 Mill Lane", "GB 123 4567 89", "Date and tax point"])
    expect(text).toContain(words.toLowerCase());
  const { creditNotes, number } = await practice.api.invoices.credit.mutate({
    id,
    version,
    amountMinor: 100,
    reason: "Shorter",
  });
  const note = await printed(`/export/credit-notes/${creditNotes[0]?.id}.pdf`);
  expect(note).toMatch(new RegExp(`${number} of \\d{1,2} \\w+ \\d{4}`));
  expect(note).toContain("4 mill lane");
});

test("an invoice that was issued: when the settings change, it stays as it is, and so do its credit notes; a draft follows them", async () => {
  await registeredForVat(practice);
  await invoiceSettings(practice, { bankDetails: "Old Bank 11-22-33", footer: "Old foot" });
  const { theCase, p1 } = await aCase(practice);
  const issued = await issuedInvoice(practice, theCase.id, partyPayer(p1), { lines: [aLine({ vatRateBp: 2000 })] });
  const draft = await practice.api.invoices.create.mutate({
    id: newId(),
    caseId: theCase.id,
    payer: partyPayer(p1),
    lines: [aLine()],
    notes: "",
  });
  const before = await paper(issued.id);
  await invoiceSettings(practice, {
    isVatRegistered: false,
    vatNumber: "",
    address: "9 New Road",
    bankDetails: "New Bank 44-55-66",
    footer: "New foot",
  });
  expect(await paper(issued.id)).toBe(before);
  expect(before).toContain("old bank");
  const fresh = await paper(draft.id);
  expect(fresh).toContain("new bank");
  expect(fresh).not.toContain("old bank");
});

test("the settings: VAT without an address is refused, and so are the letters of credit notes and receipts", async () => {
  const vat = { isVatRegistered: true, vatNumber: "GB 123 4567 89", address: "" };
  expect((await refusal(invoiceSettings(practice, vat))).fields["address"]).toContain("Enter the address");
  for (const prefix of ["CN", "r"])
    expect((await refusal(invoiceSettings(practice, { prefix }))).fields["prefix"]).toContain("Choose other letters");
});
