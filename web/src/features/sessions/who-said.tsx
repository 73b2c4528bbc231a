import type { Party } from "@app/shared/cases";
import { JOINT } from "@app/shared/sessions";
import { Input, SegmentedControl } from "@mantine/core";
import { useId } from "react";
import { firstNameOf } from "../notes/note-words.ts";

interface Props {
  label: string;
  parties: readonly Party[];
  mayBeJoint: boolean;
  value: string | null;
  error?: string | undefined;
  onChange: (partyId: string) => void;
}

/** One party, or all together. */
export function WhoSaid({ label, parties, mayBeJoint, value, error, onChange }: Props) {
  const errorId = useId();
  const names = parties.map((party) => ({ value: party.partyId, label: `${party.label} ${firstNameOf(party)}` }));
  return (
    <>
      <Input.Label labelElement="div">{label}</Input.Label>
      <SegmentedControl
        fullWidth
        mb={error ? 4 : "md"}
        aria-label={label}
        {...(error ? { "aria-invalid": true, "aria-describedby": errorId, tabIndex: -1 } : {})}
        value={value ?? ""}
        onChange={onChange}
        data={mayBeJoint ? [...names, { value: JOINT, label: "Together" }] : names}
      />
      {error && (
        <Input.Error id={errorId} mb="md">
          {error}
        </Input.Error>
      )}
    </>
  );
}
