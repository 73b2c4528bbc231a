import type { Party } from "@app/shared/cases";
import { Checkbox, Group } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  parties: readonly Pick<Party, "partyId" | "name" | "label">[];
  description: string;
  value: string[];
  error: ReactNode;
  onChange: (partyIds: string[]) => void;
}

/** Which parties of the case come; nothing where it has none. */
export function WhoComes({ parties, ...group }: Props) {
  if (parties.length === 0) return null;
  return (
    <Checkbox.Group label="Who comes" {...group}>
      <Group pt="xs">
        {parties.map(({ partyId, name, label }) => (
          <Checkbox key={partyId} value={partyId} label={`${name} (${label})`} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
