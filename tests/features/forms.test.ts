import { newId } from "@app/server/core/ids";
import { FormVersionModel } from "@app/server/features/forms/forms.model";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFormContent, aFormInput, aFormPage, aShortText, aYesNo, when } from "../support/server/forms.ts";
import { aPractice, aStaffUser } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const aForm = () => practice.api.forms.create.mutate({ id: newId(), ...aFormInput() });
const publish = ({ id, version }: { id: string; version: number }) =>
  practice.api.forms.publish.mutate({ id, version, changeId: newId() });

describe("forms", () => {
  test("forms.save: when somebody saved since, nothing is stored over it", async () => {
    const { id, name, content } = await aForm();
    const save = (title: string) =>
      practice.api.forms.save.mutate({ id, version: 0, name, content: { ...content, title } });
    expect((await save("First")).content.title).toBe("First");
    expect(await refusal(save("Second"))).toMatchObject({ code: "CONFLICT" });
    expect((await practice.api.forms.get.query({ id })).content.title).toBe("First");
  });

  test("forms.publish: when the draft goes on, what was published stays as it was", async () => {
    const { id, name, content } = await aForm();
    const first = await publish({ id, version: 0 });
    expect(first).toMatchObject({ status: "published", publishedNumber: 1, isChanged: false });
    const draft = { id, version: 0, name, content: { ...content, title: "Another title" } };
    const saved = await practice.api.forms.save.mutate(draft);
    expect(saved).toMatchObject({ isChanged: true, publishedContent: { title: content.title } });
    expect(await publish({ id, version: 1 })).toMatchObject({ publishedNumber: 2, isChanged: false });
    const versions = await FormVersionModel.find({ ownerId: practice.ownerId, formId: id }).sort({ number: 1 }).lean();
    expect(versions.map(({ content: stored }) => stored.title)).toEqual([content.title, "Another title"]);
  });

  test("forms.publish: when a rule asks about a question that is not there, it says so and publishes nothing", async () => {
    const content = aFormContent([
      aFormPage("first", [aYesNo("children"), aShortText("names", { visibleIf: when("gone", "equals", "yes") })]),
    ]);
    const { id } = await practice.api.forms.create.mutate({ id: newId(), ...aFormInput({ content }) });
    await expect(publish({ id, version: 0 })).rejects.toThrow("asks about a question that is not there any more");
    expect((await practice.api.forms.get.query({ id })).status).toBe("draft");
  });

  test("forms.publish: when nobody said who reads an answer, it is refused and says where, until somebody chose for all", async () => {
    const content = aFormContent([aFormPage("first", [aShortText("town", { sensitivity: null })])]);
    const { id } = await practice.api.forms.create.mutate({ id: newId(), ...aFormInput({ content }) });
    expect(await refusal(practice.api.forms.publish.mutate({ id, version: 0, changeId: newId() }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("Say who reads the answer"),
    });
    const chosen = { ...content, readers: "mediator" as const };
    await practice.api.forms.save.mutate({ id, version: 0, name: "Intake", content: chosen });
    const published = await practice.api.forms.publish.mutate({ id, version: 1, changeId: newId() });
    expect(published.publishedContent?.readers).toBe("mediator");
  });

  test("forms.publish: when nothing changed, or somebody saved since, it is refused", async () => {
    const { id, name, content } = await aForm();
    await publish({ id, version: 0 });
    expect(await refusal(publish({ id, version: 0 }))).toMatchObject({ code: "PRECONDITION_FAILED" });
    await practice.api.forms.save.mutate({ id, version: 0, name, content });
    expect(await refusal(publish({ id, version: 0 }))).toMatchObject({ code: "CONFLICT" });
  });

  test("forms.setStatus: archived, a form is listed apart, keeps its draft as it is, and comes back", async () => {
    const { id, name, content } = await aForm();
    await practice.api.forms.setStatus.mutate({ id, isArchived: true });
    expect((await practice.api.forms.list.query({})).items).toEqual([]);
    expect((await practice.api.forms.list.query({ isArchived: true })).items).toMatchObject([
      { id, status: "archived" },
    ]);
    expect(await refusal(practice.api.forms.save.mutate({ id, version: 0, name, content }))).toMatchObject({
      code: "PRECONDITION_FAILED",
    });
    expect(await practice.api.forms.setStatus.mutate({ id, isArchived: false })).toMatchObject({ status: "draft" });
  });

  test("forms: a lead form is the owner's alone, as if it were not there", async () => {
    const lead = await practice.api.forms.create.mutate({ id: newId(), ...aFormInput({ kind: "lead" }) });
    const staff = await aStaffUser(app, practice, { role: 2 });
    expect((await staff.api.forms.list.query({})).items).toEqual([]);
    expect(await refusal(staff.api.forms.get.query({ id: lead.id }))).toMatchObject({ code: "NOT_FOUND" });
    expect(await refusal(staff.api.forms.copy.mutate({ id: newId(), formId: lead.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(
      await refusal(staff.api.forms.create.mutate({ id: newId(), ...aFormInput({ kind: "lead" }) })),
    ).toMatchObject({ code: "NOT_FOUND" });
    expect((await practice.api.forms.list.query({ kind: "lead" })).total).toBe(1);
  });

  test("forms.copy: a copy is a draft of its own, made once for each id", async () => {
    const { id: formId } = await aForm();
    const copying = { id: newId(), formId };
    const copy = await practice.api.forms.copy.mutate(copying);
    expect(copy).toMatchObject({ name: "Copy of Intake", status: "draft", publishedNumber: null });
    expect((await practice.api.forms.copy.mutate(copying)).id).toBe(copy.id);
    expect((await practice.api.forms.list.query({ search: "copy" })).items).toMatchObject([
      { id: copy.id, questions: 2 },
    ]);
  });
});
