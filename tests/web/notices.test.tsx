import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { notify } from "../../web/src/core/notify.ts";
import { Notices } from "../../web/src/features/shell/notices.tsx";
import { draw } from "./page.tsx";

test("a notice with “Undo”: once it was pressed and is gone, the keyboard stands on the heading of the page", async () => {
  draw(
    <>
      <main>
        <h1>Leads</h1>
      </main>
      <Notices />
    </>,
  );
  const onAct = vi.fn<() => void>();
  notify("3 leads marked as spam", { label: "Undo", onAct });
  (await screen.findByRole("button", { name: "Undo" })).focus();
  await userEvent.keyboard("{Enter}");
  expect(onAct).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Leads" })));
});
