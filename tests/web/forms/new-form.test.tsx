import { templatesOf } from "@app/shared/form-templates/form-templates";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../../web/src/core/api.ts";
import { rememberSession } from "../../../web/src/core/session-state.ts";
import { NewForm } from "../../../web/src/features/forms/new-form.tsx";
import { draw } from "../page.tsx";
import { STATUS } from "../signed-in.ts";

test("a new form: a blank one, when a template was chosen before it, bears nothing of that template", async () => {
  rememberSession(STATUS);
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (_address: string, { body }: { body: string }) => {
    sent.push(body);
    return Response.json({ error: { message: "No", code: -32_000, data: { code: "CONFLICT" } } }, { status: 409 });
  });
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <NewForm isLead={false} onMade={() => undefined} />
      </QueryClientProvider>
    </api.Provider>,
  );
  const template = templatesOf(false)[0]?.name ?? "";
  fireEvent.click(screen.getByRole("radio", { name: template }));
  fireEvent.click(screen.getByRole("radio", { name: "A blank form" }));
  fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: "Walks" } });
  fireEvent.click(screen.getByRole("button", { name: "Make the form" }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toContain("Walks");
  expect(sent[0]).not.toContain(template);
});
