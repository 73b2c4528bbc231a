import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { ConflictHits } from "../conflicts/conflict-hits.tsx";
import type { ConflictSearch } from "../conflicts/use-conflict-search.ts";

const UNSAID = "Look at who is like them, then say that this is somebody else";

/** Whether it is said that the client who is added is none of those who are like them; of others it has to be said anew. */
export function useSomebodyElse(found: ConflictSearch, names: string) {
  const asked = [names, found.hiddenCount, ...found.hits.map(({ id }) => id)].join("\n");
  const [saidOf, setSaidOf] = useState("");
  const isAsked = found.hits.length > 0 || found.hiddenCount > 0;
  const isSaid = saidOf === asked;
  const errors: Record<string, string> = isAsked && !isSaid ? { isAnother: UNSAID } : {};
  return { found, isAsked, isSaid, errors, say: (isElse: boolean) => setSaidOf(isElse ? asked : "") };
}

interface Props {
  somebodyElse: ReturnType<typeof useSomebodyElse>;
  error: string | undefined;
}

/** Shown where the form ends, so that nobody is added past whoever was found. */
export function SomebodyElse({ somebodyElse: { found, isAsked, isSaid, say }, error }: Props) {
  if (!isAsked && !isSaid && !error) return null;
  return (
    <div>
      <ConflictHits hits={found.hits} hiddenCount={found.hiddenCount} isCut={found.isCut} nobody={null} />
      <Checkbox
        mt="xs"
        label="I have looked: this is somebody else"
        checked={isSaid}
        error={isSaid ? undefined : error}
        onChange={(event) => say(event.currentTarget.checked)}
      />
    </div>
  );
}
