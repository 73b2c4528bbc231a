import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { hiddenFrom } from "../../web/src/features/casework/correct-step-dialog.tsx";
import { ConfirmDialog } from "../../web/src/ui/confirm-dialog.tsx";
import { NewerVersionDialog } from "../../web/src/ui/newer-version-dialog.tsx";
import { draw } from "./page.tsx";

test("a save conflict: both values, when it is shown, stand side by side and nothing is chosen until the person does", async () => {
  const onSave = vi.fn();
  draw(
    <NewerVersionDialog
      isOpen
      what="client"
      theirs={{ name: "Tom Birch", savedAt: "10:39" }}
      fields={[
        { key: "phone", label: "Mobile", theirs: "07700 900142", mine: "07700 900188" },
        { key: "note", label: "Note", theirs: "", mine: "Mornings" },
      ]}
      sameCount={14}
      onKeepTheirs={() => undefined}
      onBack={() => undefined}
      onSave={onSave}
    />,
  );
  const save = screen.getByRole("button", { name: "Save this choice" });
  expect(screen.getAllByRole("radio").filter((radio) => radio.matches(":checked"))).toEqual([]);
  expect(save).toHaveProperty("disabled", true);
  await userEvent.click(screen.getByRole("radio", { name: /^Mobile: Tom Birch/ }));
  await userEvent.click(screen.getByRole("radio", { name: /^Note: yours/ }));
  await userEvent.click(save);
  expect(onSave).toHaveBeenCalledWith({ phone: "theirs", note: "mine" });
});

test("a destructive dialog: its button, when the words are not typed, does nothing", async () => {
  const onConfirm = vi.fn();
  draw(
    <ConfirmDialog
      isOpen
      onClose={() => undefined}
      title="Delete"
      confirmLabel="Delete for good"
      textToType="Quillfeather"
      onConfirm={onConfirm}
    >
      Everything goes.
    </ConfirmDialog>,
  );
  const button = screen.getByRole("button", { name: "Delete for good" });
  await userEvent.type(screen.getByRole("textbox"), "Quill{Enter}");
  expect(button).toHaveProperty("disabled", true);
  await userEvent.type(screen.getByRole("textbox"), "feather{Enter}");
  expect(onConfirm).toHaveBeenCalledOnce();
});

test.each([
  ["withdrawn", "responded", "2026-01-05T10:00:00.000Z", /was out of the case stays hidden .* Share again/],
  ["miam_attended", "miam_booked", "2026-01-05T10:00:00.000Z", /was out of the case stays hidden/],
  ["responded", "withdrawn", null, /out of the case again .* hidden from them/],
  ["withdrawn", "refused", "2026-01-05T10:00:00.000Z", /^$/],
  ["intake_done", "responded", null, /^$/],
] as const)(
  "a step to %s that is taken back to %s: when its party was out of the case, or is again, then what they do not get is said",
  (to, from, leftAt, words) => {
    const lastStep = { from, to, at: "2026-01-05T10:00:00.000Z", on: "", isOwnDecision: null };
    expect(hiddenFrom({ label: "P2", leftAt, lastStep })).toMatch(words);
  },
);
