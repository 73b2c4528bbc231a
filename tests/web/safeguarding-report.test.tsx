// Telling of a risk without reading the record, and who is to read what is suspected.
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { OfficerField } from "../../web/src/features/safeguarding/officer-field.tsx";
import { ReportSection } from "../../web/src/features/safeguarding/report-section.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

/** A part of the page over a server that answers so to whatever it is sent. */
function open(part: ReactElement, answer: (url: string) => object = () => ({ id: "e1" })) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, { body }: { body?: string } = {}) => {
    if (body) sent.push(JSON.parse(body));
    return new Response(JSON.stringify({ result: { data: answer(url) } }));
  });
  queryClient.clear();
  rememberSession(STATUS);
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{part}</QueryClientProvider>
    </api.Provider>,
  );
  return sent;
}

test("a concern: when somebody reports it who may not read the record, then how soon is chosen by them, and it is sent once whole", async () => {
  const sent = open(<ReportSection caseId="c1" />);
  fireEvent.click(screen.getByText("Report a concern"));
  fireEvent.change(await screen.findByLabelText("Who is at risk"), { target: { value: "Her daughter, 7" } });
  fireEvent.change(screen.getByLabelText(/^The concern/), { target: { value: "Bruises" } });
  fireEvent.click(screen.getByText("Report the concern"));
  await screen.findByText("Choose how soon");
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByText("In danger now"));
  expect(screen.getByText(/^Call the emergency services first/)).toBeTruthy();
  fireEvent.click(screen.getByText("Report the concern"));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    caseId: "c1",
    personAtRisk: "Her daughter, 7",
    concern: "Bruises",
    immediacy: "now",
  });
  await waitFor(() => expect(screen.queryByLabelText("Who is at risk")).toBeNull());
});

const officerWith = (mayRead: boolean) => (url: string) =>
  url.includes("safeguarding.officer")
    ? { userId: "u9", name: "Tom Birch", mayRead, named: [] }
    : { items: [{ userId: "u1", name: "Ines Marchbank" }] };

test("the officer: who may not read the record any more, or has left, is told to whoever names one, with what to do", async () => {
  open(<OfficerField />, officerWith(false));
  await screen.findByText(/^Tom Birch cannot read it now: they are suspended, or lost a permission/);
  expect(screen.getByLabelText("Nominated officer")).toHaveProperty("value", "u9");
});

test("the officer: who may read, then nothing is said", async () => {
  open(<OfficerField />, officerWith(true));
  await waitFor(() => expect(screen.getByLabelText("Nominated officer")).toHaveProperty("value", "u9"));
  expect(screen.queryByText(/cannot read it now/)).toBeNull();
});
