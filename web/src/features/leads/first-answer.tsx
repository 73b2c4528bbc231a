import type { Lead } from "@app/shared/leads";
import { isOpenLead } from "@app/shared/lead-states";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notifyError } from "../../core/notify.ts";
import { durationOf, minutesSince } from "./lead-words.ts";
import { useLeadChanged } from "./use-lead-steps.ts";

/** When they were first answered: by what was sent, or by a call that somebody notes here. */
export function FirstAnswer({ lead }: { lead: Lead }) {
  const { dateTime } = useFormats();
  const changed = useLeadChanged();
  const note = api.leads.noteCall.useMutation();
  const { id, version, status, isSpam, firstResponseAt, createdAt, responseDueAt } = lead;
  if (firstResponseAt !== null)
    return `${dateTime(firstResponseAt)}, after ${durationOf(minutesSince(createdAt, new Date(firstResponseAt)))}`;
  if (!isOpenLead(status) || isSpam) return "None";
  const say = async () => {
    try {
      await changed(await note.mutateAsync({ id, version }));
    } catch (error) {
      await changed();
      notifyError(messageOf(error));
    }
  };
  return (
    <>
      Due by {dateTime(responseDueAt)}{" "}
      <Button size="compact-xs" variant="default" loading={note.isPending} onClick={() => void say()}>
        I spoke with them
      </Button>
    </>
  );
}
