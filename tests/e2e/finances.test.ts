// Two disclosures become an open statement and a memorandum: taken over, put beside each other, exchanged, agreed,
// written, approved, and given to a court.
import { buffer } from "node:stream/consumers";
import { newId } from "@app/server/core/ids";
import { linesOf } from "@app/shared/document-walk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buttonOn } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage, withDatabase } from "../support/browser/e2e.ts";
import { aDisclosureForm, enter, TODAY } from "../support/finances/disclosed.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { aCase } from "../support/server/people.ts";
import { SIGNED_ON } from "../support/server/signed.ts";
import { aFormLink, answered } from "../support/server/submissions.ts";

const LIMIT_MS = 300_000;

let at: PracticeStage;
let page: Page;
beforeAll(async () => {
  at = await aPracticeStage();
  ({ page } = at);
}, LIMIT_MS);
afterAll(() => at.stage.close());

const button = buttonOn(() => page);
const dialog = () => page.getByRole("dialog");
const closed = () => dialog().waitFor({ state: "detached" });

const ANSWERS = {
  name: { first: "Priya", last: "Nandakumar" },
  work: "employed",
  incomes: [{ "#": "i1", income_kind: "wages", income_amount: 240_000 }],
  assets: [
    { "#": "a1", asset_kind: "account", asset_name: "Calder Bank 4411", asset_owner: "joint", asset_value: 246_000 },
  ],
  has_pensions: "no",
  signed: { name: "Priya Nandakumar", strokes: [] },
};

/** What the first of them sends in by a link of their own. */
async function sendsIn(clientId: string, caseId: string): Promise<void> {
  const { api } = at.owner;
  const form = await aDisclosureForm(at.owner);
  const { place } = await aFormLink(at.owner, { formId: form.id, clientId, caseId });
  const { formToken, revision, number } = await api.submissions.filling.open.mutate(place);
  // Nobody fills in a form sooner.
  await page.waitForTimeout(4000);
  const sent = { ...place, number, revision, changes: answered(ANSWERS), pageId: null, id: newId(), formToken };
  expect(await api.submissions.filling.submit.mutate({ ...sent, website: "" })).toMatchObject({ state: "sent" });
}

async function agrees(name: string, thing: string, amount: string): Promise<void> {
  await button(new RegExp(`^(Record|Change) what is agreed of ${thing}$`)).click();
  await dialog().getByLabel("Value that they agree").fill(amount);
  await dialog().getByLabel("Who agrees it").selectOption({ label: name });
  await dialog().getByLabel("On", { exact: true }).fill(TODAY());
  await button("Record it", dialog()).click();
  await closed();
}

/** Makes a document of this kind for both, writes its open places, and finishes it. */
async function written(caseId: string, kind: "ofs" | "mou"): Promise<string> {
  const { documents, documentTemplates } = at.owner.api;
  const { items } = await documentTemplates.list.query({ kind });
  const made = await documents.create.mutate({
    id: newId(),
    caseId,
    templateId: items[0]?.id ?? "",
    name: kind === "ofs" ? "Our finances" : "What we propose",
    // Only in a case with a session is a memorandum for both.
    addressee: { kind: kind === "ofs" ? "joint" : "practice", partyId: null },
    privilege: kind === "ofs" ? "open" : "without_prejudice",
  });
  expect(linesOf(made.content).join("\n")).toContain("£2,400.00 (agreed)");
  await page.goto(`/settings/documents/edit/${made.id}`);
  await page.getByRole("textbox", { name: /^Text of / }).waitFor();
  const content = {
    ...made.content,
    content: JSON.parse(JSON.stringify(made.content.content), (_key, value) =>
      value?.type === "mergeField" && value.attrs.said === null && value.attrs.fallback === ""
        ? { type: "text", text: "As they said" }
        : value,
    ),
  };
  const { id, name, version } = made;
  const saved = await documents.save.mutate({ id, version, name, content });
  await documents.finish.mutate({ id, version: saved.version });
  return made.id;
}

async function approves(name: string, what: string): Promise<void> {
  await button("More for Our finances").click();
  await page.getByRole("menuitem", { name: "Record what they say of it" }).click();
  await dialog().getByLabel("Who says it").selectOption({ label: name });
  await dialog().getByRole("radio", { name: what }).check();
  await dialog().getByLabel("On", { exact: true }).fill(TODAY());
  await dialog().getByRole("radio", { name: "In the session" }).check();
  if (what === "Asks for a change") await dialog().getByLabel("What they say about it").fill("The second page");
  await button("Record it", dialog()).click();
  await closed();
}

test(
  "two disclosures, when each step is taken, become a statement that a court may have and a memorandum that it may not",
  { timeout: LIMIT_MS },
  async () => {
    const { theCase, first, second, p1, p2 } = await aCase(at.owner, { domain: "family" });
    await withDatabase(at.stage, (database) =>
      database
        .collection<{ _id: string }>("cases")
        .updateOne({ _id: theCase.id }, { $set: { "parties.$[].agreementSignedOn": SIGNED_ON } }),
    );
    await sendsIn(first.id, theCase.id);
    const joint = { owner: "joint", label: "Joint at Calder Bank", amountMinor: 230_000, asOf: TODAY() } as const;
    await enter(at.owner, theCase.id, p2.partyId, joint);
    const [priya, owen] = [first.displayName, second.displayName];

    await page.goto(`/clients/view/${first.id}?tab=finances`);
    await button(`Take over what ${priya} answered`).click();
    await page.getByText(`The figures of ${priya} are taken over`).waitFor();
    await page.getByText(`${priya} lists “Calder Bank 4411” as joint. ${owen} does not list it.`).waitFor();
    await button("It is the same: Calder Bank 4411 and Joint at Calder Bank").click();
    await page.getByText("The difference is £160.00.").waitFor();
    await expectNoAxeViolations(page);
    for (const name of [priya, owen]) {
      await page.getByLabel(`Date on which ${name} said that this is everything`).fill(TODAY());
      await page
        .getByRole("region", { name: `Disclosure of ${name}` })
        .getByRole("button", { name: "Record it" })
        .click();
      await page.getByText(`${name} said so on`).waitFor();
    }
    await button("Exchange disclosures").click();
    for (const { name, label } of [
      { name: priya, label: p1.label },
      { name: owen, label: p2.label },
    ]) {
      await dialog().getByLabel(`${name} (${label}) consented on`).fill(TODAY());
      await dialog().getByLabel(`How ${name} consented`).fill("In the session");
    }
    await button("Exchange them", dialog()).click();
    await closed();
    await page.getByText(/^Exchanged on /).waitFor();
    await agrees(priya, "Calder Bank 4411", "2400");
    await page.getByText("Not by all").waitFor();
    await agrees(owen, "Calder Bank 4411", "2400");
    await page.getByText("Nothing that both name differs.").waitFor();

    await written(theCase.id, "ofs");
    await written(theCase.id, "mou");
    await page.goto(`/clients/view/${first.id}?tab=documents`);
    await approves(`${priya} (${p1.label})`, "Approves it");
    await approves(`${owen} (${p2.label})`, "Asks for a change");
    await page.getByText(`${priya} approved it on`, { exact: false }).waitFor();
    await page.getByText("“The second page”", { exact: false }).waitFor();
    await approves(`${owen} (${p2.label})`, "Approves it");

    await page.goto(`/clients/view/${first.id}?tab=case`);
    await button("More about this case").click();
    await page.getByRole("menuitem", { name: "Court pack" }).click();
    await dialog().getByText("Our finances.pdf").waitFor();
    await dialog().getByText("Not everybody who takes part may read it").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog().getByRole("link", { name: "Download the court pack" }).click(),
    ]);
    const words = await wordsOfPdf(new Uint8Array(await buffer(await download.createReadStream())));
    expect(words).toContain("open financial statement");
    expect(words).toContain("£2,400.00");
    expect(words).not.toContain("memorandum");
    expect(at.watched.complaints).toEqual([]);
  },
);
