import type { Party } from "@app/shared/cases";
import { type Screening, SUITABILITY_NAMES } from "@app/shared/screenings";
import { NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { type Formats, useFormats } from "../../core/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ScreeningRecord } from "./screening-record.tsx";
import "./screenings.css";

interface Props {
  party: Pick<Party, "name">;
  /** Of this party, the one that was held last first; at least one. */
  screenings: readonly Screening[];
  onClose: () => void;
}

/** Every screening of a party, the one that was held last first. */
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
            label: `${heldName(each, formats)}, ${each.completedByName}: ${SUITABILITY_NAMES[each.suitable]}`,
          }))}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        {shown && <ScreeningRecord screening={shown} />}
      </Stack>
    </Dialog>
  );
}

/** One from before the day was asked for has only the moment in which it was recorded. */
const heldName = ({ heldOn, completedAt }: Screening, formats: Formats): string =>
  heldOn ? formats.calendarDay(heldOn) : formats.dateTime(completedAt);
