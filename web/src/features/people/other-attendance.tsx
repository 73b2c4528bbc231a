import type { Meeting } from "@app/shared/meetings";
import { ATTENDANCE_NAMES, ATTENDANCES } from "@app/shared/session-states";
import { NativeSelect } from "@mantine/core";
import { useNoteOther } from "./use-note-other.ts";

interface Props {
  meetingId: string;
  other: Meeting["others"][number];
  mayManage: boolean;
}

/** Whether somebody who is no party came. */
export function OtherAttendance({ meetingId, other, mayManage }: Props) {
  const { note, isPending } = useNoteOther(meetingId, other.personId);
  if (!mayManage)
    return <span className="quiet-text">{other.attendance ? ATTENDANCE_NAMES[other.attendance] : "Not recorded"}</span>;
  return (
    <NativeSelect
      size="xs"
      aria-label={`Attendance of ${other.name}`}
      data={[
        { value: "", label: "Attendance not recorded", disabled: other.attendance !== null },
        ...ATTENDANCES.map((value) => ({ value, label: ATTENDANCE_NAMES[value] })),
      ]}
      value={other.attendance ?? ""}
      disabled={isPending}
      onChange={({ currentTarget }) => {
        const attendance = ATTENDANCES.find((known) => known === currentTarget.value);
        if (attendance) void note({ attendance });
      }}
    />
  );
}
