// A save that carries the version of what was read last guards nothing: the person decided by what stood there before.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const FEATURES = path.resolve(import.meta.dirname, "../../web/src/features");

/** One press that changes what stands right beside the button, so that what is read last is what the person sees. */
const ONE_PRESS: Record<string, string> = {
  "clients/unchecked-panel.tsx": "the ways that are confirmed stand in the panel",
  "finances/party-disclosure.tsx": "what is taken over or completed stands above the button",
  "finances/proposed-pairs.tsx": "both figures stand beside the button",
  "finances/statement-categories.tsx": "the figures stand under the box",
  "finances/statement-line.tsx": "both figures stand in the line",
  "invoices/aid-switch-dialog.tsx": "all that is credited stands above the button",
  "leads/first-answer.tsx": "that nobody has answered yet stands beside the button",
  "leads/lead-conflict.tsx": "who was found stands above the button",
  "leads/use-lead-steps.ts": "the lead is moved from where it stands",
  "meetings/meeting-dialog.tsx": "the state of the meeting stands above the buttons",
  "meetings/use-move.ts": "the meeting is dragged where it stands",
  "notes/note-actions.tsx": "the pin",
  "notes/versions-dialog.tsx": "the text that is replaced is kept as a version",
  "payments/payment-row.tsx": "the payment stands in the row",
  "submissions/whose-answers.tsx": "what was answered stands beside the button",
  "submissions/submission-moves.tsx": "the state of the answers stands above the buttons",
  "submissions/deciding.tsx": "what is there and what was answered stand above the buttons",
};

/** Whose version is taken: `one.version`, or the object that `version` is taken out of. */
const TAKEN = [
  /\bversion: ([\w.]+?)\??\.version\b/g,
  /\bconst \{[^}=]*\bversion\b[^}=]*\} = ([\w.]+);/g,
  /\b(\w+): \{[^}:;]*\bversion\b[^}:;]*\}[,}\s]/g,
];
/** The record as it was opened, or what this page itself saved last. */
const HELD = new Set(["opened", "edit", "seen.current", "after", "saved.newer"]);

const sources = readdirSync(FEATURES, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(FEATURES, file), "utf8") }))
  .filter(({ text }) => text.includes(".useMutation("));

const takenIn = (text: string): string[] =>
  TAKEN.flatMap((pattern) => [...text.matchAll(pattern)].map(([, whose = ""]) => whose)).filter(
    (whose) => !HELD.has(whose),
  );

test("what takes a version: a record that may be read anew meanwhile, when it is no single press, is none of them", () => {
  const found = sources.filter(({ text }) => takenIn(text).length > 0).map(({ file }) => file);
  expect(found.toSorted()).toEqual(Object.keys(ONE_PRESS).toSorted());
});

test.each([
  "await correct.mutateAsync({ id, version: assessment.version, reason })",
  "const { id, version } = theCase;",
  "export function StrikeDialog({ assessment: { id, version, origin }, onClose }: Props) {",
  "    version: entry?.version ?? 0,",
])("what takes a version: %s, when it is looked at, is seen", (line) => {
  expect(takenIn(line)).toHaveLength(1);
});
