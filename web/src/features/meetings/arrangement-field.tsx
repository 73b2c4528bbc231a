import { ARRANGEMENT_NAMES, type Arrangement, ARRANGEMENTS } from "@app/shared/meeting-safety";
import { Checkbox, Group } from "@mantine/core";

interface Props {
  value: Arrangement[];
  onChange: (chosen: Arrangement[]) => void;
}

/** What is arranged for the safety of those who come, beside the place and the arrivals. */
export function ArrangementField({ value, onChange }: Props) {
  return (
    <Checkbox.Group
      label="Arranged (optional)"
      value={value}
      onChange={(chosen) => onChange(ARRANGEMENTS.filter((each) => chosen.includes(each)))}
    >
      <Group pt="xs">
        {ARRANGEMENTS.map((each) => (
          <Checkbox key={each} value={each} label={ARRANGEMENT_NAMES[each]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
