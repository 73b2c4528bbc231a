import { type Filling, isTrouble, type SaveState } from "./use-filling.ts";

const WORDS = {
  idle: "What you answer is saved as you go.",
  typed: "Saving…",
  saving: "Saving…",
  saved: "All answers are saved.",
  offline: "Not saved yet. What you typed is kept on this page, and is saved as soon as the line is back.",
  refused: "",
  sent: "",
  dead: "Not saved. What you typed is still on this page.",
} as const satisfies Record<SaveState, string>;

/** How the saving stands, in words. */
export function SaveNote({ filling: { saveState, why } }: { filling: Filling }) {
  return (
    <p role="status" className="form-saved" data-trouble={isTrouble(saveState) || undefined}>
      {saveState === "refused" ? `Not saved. ${why} What you typed is still on this page.` : WORDS[saveState]}
    </p>
  );
}
