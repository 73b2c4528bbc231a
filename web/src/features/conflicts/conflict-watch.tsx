import { Section } from "../../ui/section.tsx";
import { ConflictHits } from "./conflict-hits.tsx";
import type { ConflictSearch } from "./use-conflict-search.ts";

/** Who is like the person that somebody enters, while they type. */
export function ConflictWatch({ found: { isEnough, hits, hiddenCount, isCut, error } }: { found: ConflictSearch }) {
  const nobody = isEnough
    ? "No matches found."
    : "While you type, your clients and contacts are searched for the same person and for the other side.";
  return (
    <Section title="Conflict check" count={hits.length + hiddenCount || undefined}>
      <div aria-live="polite">
        {error ? (
          <p className="quiet-text">{error}</p>
        ) : (
          <ConflictHits
            hits={hits}
            hiddenCount={hiddenCount}
            isCut={isCut}
            nobody={<p className="quiet-text">{nobody}</p>}
          />
        )}
      </div>
    </Section>
  );
}
