// What a feature keeps of a client, a case, a party, an enquiry or a content is known to those who ask for it: before an
// import is taken back, a party taken out, an enquiry erased, or a content given to others. A feature that comes later and
// does not join them is named here.
import "@app/server/app";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import mongoose from "mongoose";
import { expect, test } from "vitest";

const FEATURES = path.resolve(import.meta.dirname, "../../server/src/features");
const sources = new Map(
  globSync("**/*.ts", { cwd: FEATURES }).map((file) => [file, readFileSync(path.join(FEATURES, file), "utf8")]),
);

/** What the program calls a model, by its name in the database. */
const constants = new Map(
  [...sources.values()].flatMap((text) =>
    [...text.matchAll(/const (\w+) = mongoose\.model(?:<[^>]*>)?\(\s*"(\w+)"/g)].map(([, constant = "", name = ""]) => [
      name,
      constant,
    ]),
  ),
);

/** The text of each call of this function, up to the parenthesis that ends it. */
function callsOf(name: string): string[] {
  return [...sources.values()].flatMap((text) =>
    [...text.matchAll(new RegExp(`^${name}\\(`, "gm"))].map(({ index }) => {
      let depth = 0;
      let end = index + name.length;
      do {
        if (text[end] === "(") depth += 1;
        if (text[end] === ")") depth -= 1;
        end += 1;
      } while (depth > 0 && end < text.length);
      return text.slice(index, end);
    }),
  );
}

/** The files that say what was built on records that were imported. */
const usage = sources.get("imports/import-usage.ts") ?? "";
const askedOnUse = [...usage.matchAll(/from "\.\.\/([\w/.-]+)"/g)].map(([, file = ""]) => sources.get(file) ?? "");
const contentUses = sources.get("files/content-uses.service.ts") ?? "";

const REGISTRIES = {
  partyId: callsOf("definePartyTrace"),
  leadId: callsOf("defineLeadErasure"),
  blobId: [contentUses, ...callsOf("defineContentUse")],
  clientId: askedOnUse,
  caseId: askedOnUse,
};
type Kind = keyof typeof REGISTRIES;
const KINDS: readonly Kind[] = ["partyId", "leadId", "blobId", "clientId", "caseId"];

/** Where the history is told of each of these when it is made: an import asks the history what was built on its records. */
const TOLD: Record<string, string> = {
  ConflictCheck: "conflicts/conflicts.service.ts",
  Task: "tasks/tasks.service.ts",
  Attempt: "ladders/attempts.service.ts",
  SafetyReview: "screenings/kept-reviews.service.ts",
  Screening: "screenings/screenings.service.ts",
  Assessment: "assessments/attendance.service.ts",
  BookingLink: "bookings/links.service.ts",
  BookingPair: "bookings/pairs.service.ts",
  Note: "notes/notes.service.ts",
  Document: "documents/documents.service.ts",
  Figure: "finances/statements.ts",
  Finance: "finances/statements.ts",
  File: "files/files.service.ts",
  Certificate: "certificates/certificates.service.ts",
  FormLink: "submissions/form-links.service.ts",
  Signature: "signatures/signatures.service.ts",
  Payment: "payments/payment-changes.ts",
  FormSubmission: "submissions/sending.ts",
};

/** Who asks nothing of these, and why nothing is lost by that. */
const ASKED_ELSEWHERE: Record<string, string> = {
  "Case.partyId": "the parties themselves",
  "History.partyId": "tells of what others keep, and who may read it",
  "Contact.partyId": "a helper of a party goes with them (`dropSide`)",
  "Task.partyId": "follows a step of the party, of which the case itself knows",
  "SafeguardingEntry.caseId": "whoever took the import back would learn of it",
  "Lead.clientId": "becomes a client only with a case, which is asked",
  "Lead.caseId": "of a case that was opened here, and came by no import",
  "LedgerEntry.caseId": "of an invoice, which is asked",
  "CreditNote.caseId": "of an invoice, which is asked",
  "Leftover.blobId": "of what nobody keeps any more, until it is removed",
};

function pathsOf(schema: mongoose.Schema): string[] {
  const found: string[] = [];
  schema.eachPath((name, type) => {
    if (type.schema) found.push(...pathsOf(type.schema).map((inner) => `${name}.${inner}`));
    else found.push(name);
  });
  return found;
}

const kindOf = (name: string): Kind | undefined => {
  const last = (name.split(".").at(-1) ?? "").replace(/^aboutPartyIds$/, "partyIds");
  return KINDS.find((kind) => last === kind || last === `${kind}s`);
};

const kept = [
  ...new Set(
    Object.values(mongoose.models).flatMap(({ modelName, schema }) =>
      pathsOf(schema).flatMap((name) => {
        const kind = kindOf(name);
        return kind ? [`${modelName}.${kind}`] : [];
      }),
    ),
  ),
];

function isJoined(of: string): boolean {
  const [modelName = "", kind] = of.split(".");
  if ((kind === "clientId" || kind === "caseId") && modelName in TOLD) return true;
  const constant = constants.get(modelName) ?? modelName;
  const texts = KINDS.flatMap((one) => (one === kind ? REGISTRIES[one] : []));
  return texts.some((text) => new RegExp(`\\b${constant}\\b`).test(text));
}

test("joined features: each model that names a client, case, party, enquiry or content, when all are read, is asked or has a reason not to be", () => {
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.filter((of) => !isJoined(of) && !(of in ASKED_ELSEWHERE))).toEqual([]);
});

test.each(Object.entries(TOLD))("joined features: %s, when one is made, is told to the history", (_model, file) => {
  expect(sources.get(file)).toMatch(/\b(?:recordEvents?|tellOfParty|tellOfStep)\(/);
});

test("joined features: what has a reason not to be asked, when all models are read, is there and is not asked", () => {
  expect(Object.keys(ASKED_ELSEWHERE).filter((of) => !kept.includes(of) || isJoined(of))).toEqual([]);
});
