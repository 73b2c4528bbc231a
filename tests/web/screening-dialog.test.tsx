import { QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { ScreeningDialog } from "../../web/src/features/screenings/screening-dialog.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

const user = userEvent.setup();

/** The dialog over a server that takes whatever it is sent. */
function openDialog() {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, { body }: { body?: string } = {}) => {
    sent.push(JSON.parse(body ?? "null"));
    return new Response(JSON.stringify({ result: { data: {} } }));
  });
  rememberSession(STATUS);
  const onClose = vi.fn();
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <ScreeningDialog caseId="c1" party={{ partyId: "p1", name: "Priya Nandakumar" }} onClose={onClose} />
      </QueryClientProvider>
    </api.Provider>,
  );
  return { sent, onClose };
}

const chosen = () => screen.getAllByRole("radio").filter((radio) => radio.matches(":checked"));
const complete = () => user.click(screen.getByRole("button", { name: "Complete the screening" }));

test("a screening: risk and suitability, when it is opened, are not chosen, and without them nothing is sent", async () => {
  const { sent, onClose } = openDialog();
  expect(chosen()).toEqual([]);
  await complete();
  screen.getByText("Choose the risk");
  screen.getByText("Choose whether mediation is suitable");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("radio", { name: "Low" })));
  await user.click(screen.getByRole("radio", { name: "Medium" }));
  expect(screen.queryByText("Choose the risk")).toBeNull();
  await complete();
  screen.getByText("Choose whether mediation is suitable");
  expect(sent).toEqual([]);
  await user.click(screen.getByRole("radio", { name: "Suitable" }));
  await complete();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent).toEqual([expect.objectContaining({ partyId: "p1", risk: "medium", suitable: "yes" })]);
});
