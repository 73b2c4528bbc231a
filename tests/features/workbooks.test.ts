// Lists as Excel workbooks: the same rows as the CSV file, and no cell that a spreadsheet would reckon with.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { workbookRows } from "@app/server/features/imports/source-workbook";
import { expect, test } from "vitest";
import { aLead } from "../support/access/leads-access.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, aSubmission } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

/** As the import of lists reads it; null where none was given. */
async function workbookAt(person: TestPerson, address: string): Promise<string[][] | null> {
  const response = await fetch(`${app.url}${address}`, {
    headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" },
  });
  if (!response.headers.get("content-type")?.includes("spreadsheetml")) return null;
  const folder = await mkdtemp(path.join(tmpdir(), "workbook-"));
  try {
    const file = path.join(folder, "list.xlsx");
    await writeFile(file, new Uint8Array(await response.arrayBuffer()));
    const rows: string[][] = [];
    for await (const row of workbookRows(file)) rows.push(row);
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("GET /export/leads.xlsx: the leads of the owner, when one begins like a formula, stand there as texts", async () => {
  await practice.api.leads.create.mutate(aLead({ summary: "=HYPERLINK(1)", campaign: "@SUM(1)" }));
  // A formula would have no value before it is reckoned.
  const rows = (await workbookAt(practice, "/export/leads.xlsx")) ?? [];
  expect(rows[0]?.slice(0, 3)).toEqual(["Name", "Organisation", "Email"]);
  expect(rows[1]).toEqual(expect.arrayContaining(["Winifred Dace", "=HYPERLINK(1)", "@SUM(1)"]));
  expect(rows).toHaveLength(2);
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "data.export"] });
  expect(await workbookAt(staff, "/export/leads.xlsx")).toBeNull();
});

test("GET /export/form-answers.xlsx: as a workbook, each answer stands under its question for whoever may read it", async () => {
  const form = await aPublishedForm(practice);
  const { theCase, first } = await aCase(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
  await aSubmission(practice.ownerId, { link: link.id, answers: { town: "-1+1", private: "CANARY" } });
  const table = (person: TestPerson) => workbookAt(person, `/export/form-answers.xlsx?formId=${form.id}`);
  const [headings, row] = (await table(practice)) ?? [];
  expect(row?.[headings?.indexOf("Question town") ?? -1]).toBe("-1+1");
  expect(JSON.stringify(row)).toContain("CANARY");
  const plain = await aStaffUser(app, practice, { permissions: ["clients.read", "data.export"] });
  const seen = JSON.stringify(await table(plain));
  expect(seen).toContain("-1+1");
  expect(seen).not.toContain("CANARY");
});
