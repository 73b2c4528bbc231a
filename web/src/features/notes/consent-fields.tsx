import type { Consent } from "@app/shared/notes";
import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { firstNameOf } from "./note-words.ts";

interface Granter {
  partyId: string;
  name: string;
}
interface Given {
  how: string;
  isGiven: boolean;
  /** When it was ticked, which is when they agreed. */
  at: string;
}
const NOTHING: Given = { how: "", isGiven: false, at: "" };

/** Asks for the consent of each of these parties in words that can stand in the file, to what was said at this time. */
export function useConsents(granters: readonly Granter[], saidAt: string) {
  const [given, setGiven] = useState<Record<string, Given>>({});
  const of = (partyId: string) => given[partyId] ?? NOTHING;
  return {
    granters,
    of,
    set: (partyId: string, change: Partial<Given>) =>
      setGiven((before) => ({ ...before, [partyId]: { ...(before[partyId] ?? NOTHING), ...change } })),
    isDirty: Object.values(given).some(({ how, isGiven }) => isGiven || how !== ""),
    isComplete: granters.length > 0 && granters.every(({ partyId }) => of(partyId).isGiven && of(partyId).how.trim()),
    /** As of when each was ticked, which is after what it is about, also where this device's clock is slow. */
    take(): Consent | null {
      const [first, ...others] = granters.map(({ partyId }) => {
        const { at, how } = of(partyId);
        return { grantedByPartyId: partyId, at: later(at, saidAt), how: how.trim() };
      });
      if (!first) return null;
      return others.length > 0 ? { ...first, others } : first;
    },
  };
}

const later = (one: string, other: string): string => (Date.parse(one) > Date.parse(other) ? one : other);

/** Whose consent it takes, in words. */
export const namesOf = (granters: readonly Granter[]): string => granters.map(firstNameOf).join(" and ");

interface Props {
  consents: ReturnType<typeof useConsents>;
  /** What they agreed to. */
  what?: string;
}

export function ConsentFields({ consents, what = "these words are" }: Props) {
  return consents.granters.map((granter) => {
    const { partyId } = granter;
    const name = firstNameOf(granter);
    const { how, isGiven } = consents.of(partyId);
    return (
      <div key={partyId}>
        <TextInput
          mt="md"
          label={`How ${name} agreed`}
          description="For the file, such as: in the room, after it was read back"
          value={how}
          maxLength={200}
          onChange={(event) => consents.set(partyId, { how: event.currentTarget.value })}
        />
        <Checkbox
          mt="md"
          label={`${name} has agreed that ${what} shared with all parties`}
          checked={isGiven}
          onChange={(event) =>
            consents.set(partyId, { isGiven: event.currentTarget.checked, at: new Date().toISOString() })
          }
        />
      </div>
    );
  });
}
