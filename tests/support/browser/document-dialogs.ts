// The dialogs of templates and documents.
import { randomUUID } from "node:crypto";
import { EMPTY_DOCUMENT } from "@app/shared/document-content";
import { ask, at, button, type DialogRow, ofCase, ofClient, type Place, tell } from "./dialog-places.ts";

const TEMPLATES = at("/settings/documents");

/** A plan for all that is finished. */
async function aPlan(place: Place): Promise<void> {
  const { clientId } = place.sample;
  const templates = await ask(place, "documentTemplates.list", { kind: "parenting_plan" });
  const [{ id: templateId }] = templates.items;
  const [{ id: caseId }] = (await ask(place, "cases.ofClient", { id: clientId })).items;
  const name = "What was said";
  const joint = { addressee: { kind: "joint", partyId: null }, privilege: "without_prejudice" };
  const { id, version } = await tell(place, "documents.create", {
    id: randomUUID(),
    caseId,
    templateId,
    name,
    ...joint,
  });
  const saved = await tell(place, "documents.save", { id, version, name, content: EMPTY_DOCUMENT });
  await tell(place, "documents.finish", { id, version: saved.version });
}

let letterId = "";
/** A draft in which nothing is missing. */
async function aLetter(place: Place): Promise<void> {
  const [{ id: caseId }] = (await ask(place, "cases.ofClient", { id: place.sample.clientId })).items;
  const [{ id: templateId }] = (await ask(place, "documentTemplates.list", { kind: "fee_letter" })).items;
  const [{ partyId }] = (await ask(place, "cases.get", { id: caseId })).parties;
  const addressee = { kind: "party", partyId };
  const begun = { id: randomUUID(), caseId, templateId, name: "What it costs", addressee, privilege: "none" };
  const { id, version, name } = await tell(place, "documents.create", begun);
  await tell(place, "documents.save", { id, version, name, content: EMPTY_DOCUMENT });
  letterId = id;
}

export const DOCUMENT_DIALOGS: readonly DialogRow[] = [
  {
    dialog: "NewTemplateDialog",
    at: TEMPLATES,
    opener: (page) => page.getByRole("link", { name: "New template" }),
    title: "New template",
    typed: "asked",
  },
  {
    dialog: "RenameTemplateDialog",
    at: TEMPLATES,
    opener: button("More for Fee letter"),
    item: "Rename",
    title: "Rename template",
    typed: "asked",
  },
  {
    dialog: "WordDialog",
    at: ({ sample }) => `/settings/documents/edit/${sample.textId}`,
    opener: button("Word"),
    item: "Replace with a Word document",
    title: "Replace with a Word document",
    typed: "nothing",
  },
  {
    dialog: "NewDocumentDialog",
    at: ofClient("documents"),
    opener: button("New document"),
    title: /^New document in /,
    typed: "sought",
  },
  {
    dialog: "CourtPackDialog",
    at: ofCase("in_mediation"),
    opener: button("More about this case"),
    item: "Court pack",
    title: "Court pack",
    typed: "nothing",
  },
  {
    dialog: "FigureDialog",
    at: ofClient("finances"),
    opener: button(/^Enter a figure of /),
    title: /^New figure of /,
    typed: "asked",
  },
  {
    dialog: "ExchangeDialog",
    at: ofClient("finances"),
    opener: button("Exchange disclosures"),
    title: "Exchange disclosures",
    typed: "asked",
  },
  {
    dialog: "PairDialog",
    at: ofClient("finances"),
    opener: button("More for Own account at Leedsbank"),
    item: "Same thing as…",
    title: "Same thing as Own account at Leedsbank",
    typed: "nothing",
  },
  {
    dialog: "AgreeDialog",
    at: ofClient("finances"),
    opener: button("Record what is agreed of Cash ISA"),
    title: "What is agreed of Cash ISA",
    typed: "asked",
  },
  {
    dialog: "ApprovalDialog",
    before: aPlan,
    at: ofClient("documents"),
    opener: button("More for What was said"),
    item: "Record what they say of it",
    title: "What they say of What was said",
    typed: "asked",
  },
  {
    dialog: "FinishDialog",
    before: aLetter,
    at: () => `/settings/documents/edit/${letterId}`,
    opener: button("Finish"),
    title: "Finish “What it costs”",
    typed: "nothing",
  },
];
