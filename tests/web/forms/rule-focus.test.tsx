// Where the keyboard is after a button of the builder that is gone with what it did.
import type { Form } from "@app/shared/forms";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../../web/src/core/api.ts";
import { BuilderContext, useBuilder } from "../../../web/src/features/forms/builder-context.ts";
import { LogicFields } from "../../../web/src/features/forms/logic-fields.tsx";
import { PageRules } from "../../../web/src/features/forms/page-rules.tsx";
import { aFormContent, aFormPage, aYesNo } from "../../support/server/forms.ts";
import { draw } from "../page.tsx";

const NOON = "2026-11-20T12:00:00.000Z";
const FORM: Form = {
  id: "f1",
  name: "Walk",
  kind: "questionnaire",
  status: "draft",
  content: aFormContent([aFormPage("one", [aYesNo("first"), aYesNo("second")]), aFormPage("two", [aYesNo("third")])]),
  version: 0,
  publishedNumber: null,
  publishedAt: null,
  publishedContent: null,
  isChanged: false,
  publicId: "p1",
  sharing: { embedOrigins: [], redirectUrl: "" },
  updatedAt: NOON,
  updatedByName: "Ines Marchbank",
};
vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ result: { data: FORM } })));

function Shown() {
  const builder = useBuilder(FORM);
  const [one, two] = builder.content.pages;
  const second = one?.fields[1];
  return (
    <BuilderContext value={builder}>
      {second && <LogicFields field={second} />}
      {two && <PageRules page={two} />}
    </BuilderContext>
  );
}

beforeEach(() => {
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Shown />
      </QueryClientProvider>
    </api.Provider>,
  );
});

const press = async (name: string) => {
  screen.getByRole("button", { name }).focus();
  await userEvent.keyboard("{Enter}");
};
const group = () => document.activeElement?.closest("[role=group]")?.getAttribute("aria-label");

test.each([
  ["Show only sometimes", "Show this question only when"],
  ["Ask for an answer only sometimes", "An answer is needed when"],
  ["Tell the mediator", "Tell the mediator when"],
  ["Show this page only sometimes", "Show this page only when"],
])(
  "“%s”: when its rule begins, the keyboard is in it, and back on the button when it was taken out",
  async (add, title) => {
    await press(add);
    expect([document.activeElement?.tagName, group()]).toEqual(["SELECT", title]);
    await press("Take this condition out");
    expect(document.activeElement?.textContent).toBe(add);
  },
);

test("“Take this condition out”: where there are others, the keyboard is on the one that took its place", async () => {
  await press("Show only sometimes");
  await press("Add a condition");
  expect(group()).toBe("Show this question only when");
  const [, last] = screen.getAllByRole("button", { name: "Take this condition out" });
  last?.focus();
  await userEvent.keyboard("{Enter}");
  expect([document.activeElement?.tagName, group()]).toEqual(["SELECT", "Show this question only when"]);
});

test("a jump: when it is added or taken out, the keyboard goes on there", async () => {
  await press("Add a jump");
  expect(document.activeElement?.closest(".jump-rule")).not.toBeNull();
  await press("Take this condition out");
  expect(document.activeElement?.textContent).toBe("Add a jump");
});
