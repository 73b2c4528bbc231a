import { FormModel } from "@app/server/features/forms/forms.model";
import { newId } from "@app/server/core/ids";
import { clock } from "@app/server/core/clock";
import { FormLinkModel } from "@app/server/features/submissions/form-links.model";
import { sealContent, SubmissionModel } from "@app/server/features/submissions/submissions.model";
import type { Answers } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import type { FormKind } from "@app/shared/form-kinds";
import type { SubmitAnswers } from "@app/shared/submissions";
import { vi } from "vitest";
import { aFormContent, aFormInput, aFormPage, aShortText, aYesNo, when } from "./forms.ts";
import { aClient, type TestPerson, type TestPractice } from "./people.ts";

/** A town, whether there are children, and only then how many live where; one answer proposes what the client needs. */
export const fillableContent = (): FormContent =>
  aFormContent([
    aFormPage("first", [aShortText("town", { isRequired: true }), aShortText("needs", { mapTo: "client.needs" })]),
    aFormPage("second", [
      aYesNo("children"),
      aShortText("names", { visibleIf: when("children", "equals", "yes") }),
      aShortText("private", { sensitivity: "mediator" }),
      aShortText("safety", { sensitivity: "screening" }),
    ]),
  ]);

/** A form that people can fill in. */
export async function aPublishedForm(
  { api }: TestPractice,
  content: FormContent = fillableContent(),
  more: { name?: string; kind?: FormKind } = {},
) {
  const { id } = await api.forms.create.mutate({ id: newId(), ...aFormInput({ content, ...more }) });
  return api.forms.publish.mutate({ id, version: 0, changeId: newId() });
}

/** The two parts of an address. */
export function placeIn(address: string) {
  const [, , formId = "", userId = ""] = new URL(address).pathname.split("/");
  return { formId, userId };
}

/** A link of a client's own, with its address. */
export async function aFormLink(
  { api }: TestPractice,
  { formId, clientId, caseId = null }: { formId: string; clientId?: string; caseId?: string | null },
) {
  const whose = clientId ?? (await api.clients.create.mutate(aClient())).id;
  const made = await api.submissions.createLink.mutate({ id: newId(), formId, clientId: whose, caseId, days: 30 });
  const { address } = await api.submissions.openLink.query({ id: made.id });
  return { ...made, address, place: placeIn(address) };
}

export const generalPlace = async ({ api }: TestPractice, id: string) =>
  placeIn((await api.submissions.generalAddress.query({ id })).address);

type Place = ReturnType<typeof placeIn>;

export const answered = (answers: Record<string, SubmitAnswers["changes"][number]["answer"]>, agoMs = 0) =>
  Object.entries(answers).map(([fieldId, answer]) => ({ fieldId, answer, agoMs }));

export const save = (
  visitor: Pick<TestPerson, "api">,
  place: Place,
  answers: Parameters<typeof answered>[0],
  { revision = 0, agoMs = 0, pageId = "first" }: { revision?: number; agoMs?: number; pageId?: string | null } = {},
) =>
  visitor.api.submissions.filling.save.mutate({
    ...place,
    number: 1,
    revision,
    changes: answered(answers, agoMs),
    pageId,
  });

/** Opens it, waits as long as a person would, and sends it. */
export async function submit(
  visitor: Pick<TestPerson, "api">,
  place: Place,
  answers: Parameters<typeof answered>[0],
  more: Partial<SubmitAnswers> = {},
) {
  const { formToken, revision, number } = await visitor.api.submissions.filling.open.mutate(place);
  const at = new Date(clock.now().getTime() + 5000);
  vi.spyOn(clock, "now").mockImplementation(() => at);
  return visitor.api.submissions.filling.submit.mutate({
    ...place,
    number,
    revision,
    changes: answered(answers),
    pageId: null,
    id: newId(),
    formToken,
    website: "",
    ...more,
  });
}

/** What was sent in by a link, as if it had been a while ago. */
export async function aSubmission(
  ownerId: string,
  { link, answers, isSuspect = false }: { link: string; answers: Answers; isSuspect?: boolean },
): Promise<string> {
  const doc = await FormLinkModel.findOne({ ownerId, _id: link }).lean();
  if (!doc) throw new Error("there is no such link");
  const { submissionId: _id, formId, clientId, caseId, partyId } = doc;
  const at = clock.now();
  await SubmissionModel.create([
    {
      _id,
      ownerId,
      formId,
      formNumber: 1,
      clientId,
      caseId,
      partyId,
      linkId: link,
      isSuspect,
      status: "submitted",
      revision: 2,
      contentEnc: sealContent({ ownerId, _id }, { answers, edits: {}, decided: [] }),
      sendingId: newId(),
      startedAt: at,
      savedAt: at,
      submittedAt: at,
    },
  ]);
  return _id;
}

export const MARK = "There are children CANARY";
/** Answers by the general address of a form that marks whether there are children; of safety such are there from before. */
export async function markedAnswers(
  practice: TestPractice,
  answer: "yes" | "no",
  {
    kind,
    sensitivity = "practice",
  }: {
    kind?: FormKind;
    sensitivity?: "practice" | "mediator" | "screening";
  } = {},
) {
  const flag = { when: when("children", "equals", "yes"), text: MARK };
  const asked = [aShortText("town"), aYesNo("children", { flag, sensitivity })];
  const content = aFormContent([aFormPage("first", asked)]);
  const form = await aPublishedForm(practice, content, { name: "Walk" });
  await submit(practice, await generalPlace(practice, form.id), { town: "Hull", children: answer });
  vi.restoreAllMocks();
  if (kind) await FormModel.updateOne({ ownerId: practice.ownerId, _id: form.id }, { $set: { kind } });
  const [row] = (await practice.api.submissions.list.query({ formId: form.id })).items;
  if (!row) throw new Error("nothing was sent in");
  return { form, row };
}
