// A subscription is started with a plan that somebody chose.
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { PlanChoice } from "../../web/src/features/subscriptions/plan-choice.tsx";
import { draw } from "./page.tsx";

let sent: unknown[];

beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", (_url: string, { body }: { body?: string } = {}) => {
    sent.push(JSON.parse(body ?? "null"));
    // The provider's page is not led to here: nobody answers.
    return new Promise(() => undefined);
  });
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <PlanChoice />
      </QueryClientProvider>
    </api.Provider>,
  );
});

const goOn = () => fireEvent.click(screen.getByRole("button", { name: "Go to payment" }));

test("a plan: when nothing is chosen, then nothing leads to payment and each field says what is missing", () => {
  for (const choice of screen.getAllByRole<HTMLInputElement>("radio")) expect(choice.checked).toBe(false);
  goOn();
  expect(screen.getByText("Choose a plan")).toBeTruthy();
  expect(screen.getByText("Choose how it is paid")).toBeTruthy();
  expect(sent).toEqual([]);
});

test("a plan: when both are chosen, then they are what the payment is for", async () => {
  fireEvent.click(screen.getByRole("radio", { name: "Essential" }));
  fireEvent.click(screen.getByRole("radio", { name: "Yearly" }));
  goOn();
  await vi.waitFor(() => expect(JSON.stringify(sent)).toContain('"plan":"essential","interval":"yearly"'));
});
