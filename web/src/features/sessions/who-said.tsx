import type { Party } from "@app/shared/cases";
import { JOINT } from "@app/shared/sessions";
import { Input, SegmentedControl } from "@mantine/core";
import { firstNameOf } from "../notes/note-words.ts";

interface Props {
  label: string;
  parties: readonly Party[];
  mayBeJoint: boolean;
  value: string | null;
  onChange: (partyId: string) => void;
}

/** One party, or all together. */
export function WhoSaid({ label, parties, mayBeJoint, value, onChange }: Props) {
  const names = parties.map((party) => ({ value: party.partyId, label: `${party.label} ${firstNameOf(party)}` }));
  return (
    <>
      <Input.Label labelElement="div">{label}</Input.Label>
      <SegmentedControl
        fullWidth
        mb="md"
        aria-label={label}
        value={value ?? ""}
        onChange={onChange}
        data={mayBeJoint ? [...names, { value: JOINT, label: "Together" }] : names}
      />
    </>
  );
}
