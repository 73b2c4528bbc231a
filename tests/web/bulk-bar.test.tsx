import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { BulkBar } from "../../web/src/ui/bulk-bar.tsx";
import { draw } from "./page.tsx";

function List() {
  const [count, setCount] = useState(2);
  return (
    <main>
      <h1>Leads</h1>
      {count > 0 && (
        <BulkBar label="Selected leads" count={count} onClear={() => setCount(0)}>
          <button type="button" onClick={() => setCount(0)}>
            These are spam
          </button>
        </BulkBar>
      )}
    </main>
  );
}

test.each(["These are spam", "Clear"])(
  "the bar of what is selected: once it goes after “%s”, the keyboard stands on the heading of the list",
  async (name) => {
    draw(<List />);
    screen.getByRole("button", { name }).focus();
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Leads" })));
  },
);
