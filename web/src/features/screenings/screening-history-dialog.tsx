import type { Party } from "@app/shared/cases";
import { type Screening, SUITABILITY_NAMES } from "@app/shared/screenings";
import { mayMediate } from "@app/shared/team-access";
import { Button, Group, NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { type Formats, useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ConfirmScreening } from "./confirm-screening.tsx";
import { ScreeningRecord } from "./screening-record.tsx";
import { StrikeScreeningDialog } from "./strike-screening-dialog.tsx";
import "./screenings.css";

interface Props {
  party: Pick<Party, "name">;
  /** Of this party, the one that was held last first; at least one. */
  screenings: readonly Screening[];
  mayChange: boolean;
  onClose: () => void;
}

/** Every screening of a party, the one that was held last first. */
export function ScreeningHistoryDialog({ party, screenings, mayChange, onClose }: Props) {
  const formats = useFormats();
  const [id, setId] = useState(screenings[0]?.id ?? "");
  const [isStriking, setIsStriking] = useState(false);
  const { role } = useCurrentUser();
  const shown = screenings.find((each) => each.id === id) ?? screenings[0];
  return (
    <Dialog isOpen onClose={onClose} title={`Screenings of ${party.name}`} size="wide">
      <Stack gap="md">
        <NativeSelect
          label="Screening"
          data={screenings.map((each) => ({
            value: each.id,
            label: `${heldName(each, formats)}, ${each.completedByName}: ${each.struck ? "struck" : SUITABILITY_NAMES[each.suitable]}`,
          }))}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        {shown && <ScreeningRecord screening={shown} />}
        {shown && <ConfirmScreening screening={shown} name={party.name} mayChange={mayChange} />}
        {shown && mayChange && mayStrike(shown, role) && (
          <Group justify="end">
            <Button variant="subtle" color="red" onClick={() => setIsStriking(true)}>
              Strike this screening
            </Button>
          </Group>
        )}
      </Stack>
      {shown && isStriking && (
        <StrikeScreeningDialog screening={shown} name={party.name} onClose={() => setIsStriking(false)} />
      )}
    </Dialog>
  );
}

/** That somebody was found not safe is struck only by those who may find them safe. */
const mayStrike = ({ struck, suitable }: Screening, role: Parameters<typeof mayMediate>[0]): boolean =>
  struck === null && (suitable !== "no" || mayMediate(role));

/** One from before the day was asked for has only the moment in which it was recorded. */
const heldName = ({ heldOn, completedAt }: Screening, formats: Formats): string =>
  heldOn ? formats.calendarDay(heldOn) : formats.dateTime(completedAt);
