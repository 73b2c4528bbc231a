import type { Party } from "@app/shared/cases";
import { type Screening, SUITABILITY_NAMES } from "@app/shared/screenings";
import { NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ScreeningRecord } from "./screening-record.tsx";
import "./screenings.css";

interface Props {
  party: Pick<Party, "name">;
  /** Of this party, the newest first; at least one. */
  screenings: readonly Screening[];
  onClose: () => void;
}

/** Every screening of a party, the newest first. */
export function ScreeningHistoryDialog({ party, screenings, onClose }: Props) {
  const formats = useFormats();
  const [id, setId] = useState(screenings[0]?.id ?? "");
  const shown = screenings.find((each) => each.id === id) ?? screenings[0];
  return (
    <Dialog isOpen onClose={onClose} title={`Screenings of ${party.name}`} size="wide">
      <Stack gap="md">
        <NativeSelect
          label="Screening"
          data={screenings.map((each) => ({
            value: each.id,
            label: `${formats.dateTime(each.completedAt)}, ${each.completedByName}: ${SUITABILITY_NAMES[each.suitable]}`,
          }))}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        {shown && <ScreeningRecord screening={shown} />}
      </Stack>
    </Dialog>
  );
}
