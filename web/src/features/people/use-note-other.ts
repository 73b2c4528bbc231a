import type { Meeting } from "@app/shared/meetings";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";

type Found = Partial<Pick<Meeting["others"][number], "signedOn">> & {
  attendance?: NonNullable<Meeting["others"][number]["attendance"]>;
};

/** Notes of somebody who is no party that they signed, or whether they came. */
export function useNoteOther(meetingId: string, personId: string) {
  const utils = api.useUtils();
  const { mutateAsync, isPending } = api.meetings.noteOther.useMutation({
    onSettled: () => utils.meetings.invalidate(),
  });
  const note = async (found: Found) => {
    try {
      await mutateAsync({ id: meetingId, personId, ...found });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return { note, isPending };
}
