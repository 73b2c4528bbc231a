import type { DataImport } from "@app/shared/imports";
import { useFormats } from "../../core/format.ts";

/** What became of the rows so far. */
export function ImportCounts({ data: { status, counts } }: { data: DataImport }) {
  const formats = useFormats();
  const isTrial = status === "checking" || status === "checked";
  const facts = [
    { number: isTrial ? counts.ready : counts.imported, word: isTrial ? "ready" : "imported", isBad: false },
    { number: counts.duplicates, word: counts.duplicates === 1 ? "duplicate" : "duplicates", isBad: false },
    { number: counts.bad, word: "with mistakes", isBad: counts.bad > 0 },
    { number: counts.empty, word: "empty", isBad: false },
    ...(counts.undone > 0 ? [{ number: counts.undone, word: "taken back", isBad: false }] : []),
    ...(counts.kept > 0 ? [{ number: counts.kept, word: "kept", isBad: false }] : []),
  ];
  return (
    <ul className="import-counts" aria-label="Rows so far">
      {facts.map(({ number, word, isBad }) => (
        <li key={word} data-bad={isBad || undefined}>
          <strong className="tabular">{formats.number(number)}</strong> {word}
        </li>
      ))}
    </ul>
  );
}
