import type { Child } from "@app/shared/cases";
import { Checkbox, Group } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  among: readonly Child[];
  value: string[];
  error: ReactNode;
  onChange: (childIds: string[]) => void;
}

/** With which of those who were offered it a child-inclusive meeting is; asked where there are several. */
export function WhichChildren({ among, ...group }: Props) {
  const offered = among.filter(({ childId, cim }) => cim.isOffered || group.value.includes(childId));
  if (offered.length < 2) return null;
  return (
    <Checkbox.Group
      label="With which children"
      description="Only their consents are asked for. Their parents bring and fetch them, and are not in the meeting"
      {...group}
    >
      <Group pt="xs">
        {offered.map(({ childId, firstName }) => (
          <Checkbox key={childId} value={childId} label={firstName} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
