// Where nothing can be signed, the dialog has a way on.
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Blocked } from "../../web/src/features/certificates/signing-fields.tsx";
import { Dialog } from "../../web/src/ui/dialog.tsx";
import { draw } from "./page.tsx";

test("a certificate that nobody can sign yet: the dialog says why, leads to where that is put right, and closes", () => {
  const onClose = vi.fn<() => void>();
  draw(
    <Dialog isOpen onClose={onClose} title="Certify mediation">
      <Blocked blockers={["No session is recorded as held."]}>
        <a href="#sessions">Open the sessions</a>
      </Blocked>
    </Dialog>,
  );
  expect(screen.getByText("No session is recorded as held.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the sessions" })).toBeTruthy();
  fireEvent.click(screen.getByText("Close"));
  expect(onClose).toHaveBeenCalledOnce();
});
