import type { Meeting } from "@app/shared/meetings";
import { NativeSelect } from "@mantine/core";
import { LOCATION_NAMES, locationOf, LOCATIONS } from "./meeting-locations.ts";

type Kind = Meeting["location"]["kind"];

interface Props {
  value: Kind;
  onChange: (kind: Kind) => void;
}

export function LocationSelect({ value, onChange }: Props) {
  return (
    <NativeSelect
      label="Where"
      data={LOCATIONS.map((kind) => ({ value: kind, label: LOCATION_NAMES[kind] }))}
      value={value}
      onChange={(event) => onChange(locationOf(event.currentTarget.value))}
    />
  );
}
