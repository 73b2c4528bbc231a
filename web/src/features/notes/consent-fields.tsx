import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";

/** Asks for a party's consent in words that can stand in the file, to what was said at this time. */
export function useConsent(partyId: string, saidAt: string) {
  const [how, setHow] = useState("");
  const [isGiven, setIsGiven] = useState(false);
  return {
    how,
    setHow,
    isGiven,
    setIsGiven,
    isDirty: isGiven || how !== "",
    isComplete: isGiven && how.trim() !== "",
    /** The consent as of now, which is after what it is about, also where this device's clock is slow. */
    take: () => ({ grantedByPartyId: partyId, at: later(new Date().toISOString(), saidAt), how: how.trim() }),
  };
}

const later = (one: string, other: string): string => (Date.parse(one) > Date.parse(other) ? one : other);

interface Props {
  consent: ReturnType<typeof useConsent>;
  name: string;
  /** What they agreed to. */
  what?: string;
}

export function ConsentFields({ consent, name, what = "these words are" }: Props) {
  return (
    <>
      <TextInput
        mt="md"
        label={`How ${name} agreed`}
        description="For the file, such as: in the room, after it was read back"
        value={consent.how}
        maxLength={200}
        onChange={(event) => consent.setHow(event.currentTarget.value)}
      />
      <Checkbox
        mt="md"
        label={`${name} has agreed that ${what} shared with all parties`}
        checked={consent.isGiven}
        onChange={(event) => consent.setIsGiven(event.currentTarget.checked)}
      />
    </>
  );
}
