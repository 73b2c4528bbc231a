import type { Form } from "@app/shared/forms";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../../web/src/core/api.ts";
import { CanvasField } from "../../../web/src/features/forms/canvas-field.tsx";
import { BuilderContext, useBuilder } from "../../../web/src/features/forms/builder-context.ts";
import { PublishDialog } from "../../../web/src/features/forms/publish-dialog.tsx";
import { aFormContent, aFormPage, aGroup, aShortText, aYesNo } from "../../support/server/forms.ts";
import { draw } from "../page.tsx";

const NOON = "2026-11-20T12:00:00.000Z";
const CHILDREN = { ...aGroup("children", [aShortText("name")]), label: "Your children" };
const FORM: Form = {
  id: "f1",
  name: "Walk",
  kind: "questionnaire",
  status: "draft",
  content: aFormContent([aFormPage("one", [aYesNo("first"), { ...CHILDREN, atLeast: 1 }])]),
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
vi.stubGlobal("fetch", async () => Response.json({ result: { data: FORM } }));
const save = vi.fn<() => Promise<void>>(async () => undefined);
const onClose = vi.fn<() => void>();

/** While what somebody else changed waits for a choice. */
function Shown() {
  const builder = useBuilder(FORM);
  const newer = { ...builder.saved.newer, isDirty: true };
  const [page] = builder.content.pages;
  const rows = page?.fields[1];
  return (
    <BuilderContext value={{ ...builder, saved: { ...builder.saved, newer, save, mustChoose: true } }}>
      <PublishDialog onClose={onClose} />
      {page && rows && <CanvasField field={rows} index={1} page={page} />}
    </BuilderContext>
  );
}

const show = () =>
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Shown />
      </QueryClientProvider>
    </api.Provider>,
  );

test("publishing: a draft that was changed elsewhere, when a choice waits, says so and leads there", async () => {
  show();
  await screen.findByText("Your draft is not saved: it was changed elsewhere.");
  expect(screen.queryByText("Saving the draft")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Choose" }));
  expect([onClose.mock.calls.length, save.mock.calls.length]).toEqual([1, 1]);
});

test("the builder: a group that needs a row, when it is shown, is not called optional", async () => {
  show();
  expect((await screen.findAllByText(/Your children/)).map(({ textContent }) => textContent).join()).not.toMatch(
    /optional/,
  );
});
