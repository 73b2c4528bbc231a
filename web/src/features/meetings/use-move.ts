import type { CalendarMeeting } from "@app/shared/meetings";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { makeId } from "../../core/new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";

interface When {
  startsAt: string;
  endsAt: string;
}

/** Moves a meeting to another time, with a way back; what is taken is refused with the next free times. */
export function useMove() {
  const formats = useFormats();
  const utils = api.useUtils();
  const reschedule = api.meetings.reschedule.useMutation({ onSettled: () => utils.meetings.invalidate() });
  const move = async (meeting: CalendarMeeting, when: When, backId?: string) => {
    try {
      const { id, version } = meeting;
      const moved = await reschedule.mutateAsync({
        changeId: backId ?? makeId(),
        ...when,
        id,
        version,
        reason: "",
        allowsOverlap: false,
      });
      const before = { startsAt: meeting.startsAt, endsAt: meeting.endsAt };
      const undoId = makeId();
      const undo = { label: "Undo", onAct: () => void move(moved, before, undoId) };
      notify(`Moved to ${formats.dateTime(when.startsAt)}`, backId ? undefined : undo);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return move;
}
