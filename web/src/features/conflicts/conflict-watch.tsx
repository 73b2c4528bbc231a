import { Section } from "../../ui/section.tsx";
import { ConflictHits } from "./conflict-hits.tsx";
import type { ConflictSearch } from "./use-conflict-search.ts";

interface Props {
  found: ConflictSearch;
  /** Who is like the other participant, where somebody new is one. */
  other?: ConflictSearch | undefined;
}

/** Who is like the person that somebody enters, while they type. */
export function ConflictWatch({ found, other }: Props) {
  const isOtherFound = other !== undefined && other.isEnough && countOf(other) > 0;
  const nobody = found.isEnough
    ? isOtherFound
      ? "Nobody like the client was found."
      : "No matches found."
    : "While you type, your clients and contacts are searched for the same person and for the other side.";
  return (
    <Section title="Conflict check" count={countOf(found) + (other ? countOf(other) : 0) || undefined}>
      <div aria-live="polite">
        <Found search={found} nobody={nobody} />
        {other?.isEnough && (
          <>
            <h3>Like the other participant</h3>
            <Found search={other} nobody="Nobody like the other participant was found." />
          </>
        )}
      </div>
    </Section>
  );
}

const countOf = ({ hits, hiddenCount }: ConflictSearch): number => hits.length + hiddenCount;

function Found({ search: { error, hits, hiddenCount, isCut }, nobody }: { search: ConflictSearch; nobody: string }) {
  if (error) return <p className="quiet-text">{error}</p>;
  return (
    <ConflictHits hits={hits} hiddenCount={hiddenCount} isCut={isCut} nobody={<p className="quiet-text">{nobody}</p>} />
  );
}
