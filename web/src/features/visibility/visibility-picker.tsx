import {
  caucusOf,
  forParty,
  isNoWider,
  MEDIATOR_ONLY,
  PRACTICE_ONLY,
  SHARED,
  type Visibility,
} from "@app/shared/visibility";
import { NativeSelect } from "@mantine/core";
import { type NamedParty, wordsOf } from "./visibility-words.ts";

interface Props {
  parties: readonly NamedParty[];
  value: Visibility;
  onChange: (value: Visibility) => void;
  label?: string;
  /** What is kept already: only readers who could read it before are then offered. */
  kept?: Visibility;
  /** Whether something may be held in confidence for these readers; everything may where it is left out. */
  mayHold?: (visibility: Visibility) => boolean;
}

/** For one party's eyes, and in nobody's confidence. */
const readBy = (partyId: string): Visibility => ({ scope: "party", partyIds: [partyId], aboutPartyIds: [] });

/** Who may read it: the team, the mediators, one party, one party's confidence, or all of them. */
export function VisibilityPicker({
  parties,
  value,
  onChange,
  label = "Who can read this",
  kept,
  mayHold = () => true,
}: Props) {
  const all = [
    PRACTICE_ONLY,
    MEDIATOR_ONLY,
    ...parties.flatMap(({ partyId }) => {
      const inConfidence = [caucusOf(partyId), forParty(partyId)];
      return inConfidence.every(mayHold) ? inConfidence : [readBy(partyId)];
    }),
    ...(parties.length > 0 ? [SHARED] : []),
  ];
  const choices = kept ? all.filter((choice) => isNoWider(kept, choice)) : all;
  const key = (visibility: Visibility) => JSON.stringify(visibility);
  // One that was made elsewhere, such as for two of three parties, stays chosen.
  const shown = choices.some((choice) => key(choice) === key(value)) ? choices : [value, ...choices];
  return (
    <NativeSelect
      label={label}
      value={key(value)}
      data={shown.map((choice) => {
        const { who, meaning } = wordsOf(choice, parties);
        return { value: key(choice), label: `${who}: ${meaning}` };
      })}
      onChange={(event) => {
        const chosen = shown.find((choice) => key(choice) === event.currentTarget.value);
        if (chosen) onChange(chosen);
      }}
    />
  );
}
