import type { Party } from "@app/shared/cases";
import { BY_CHANNEL } from "@app/shared/ladders";
import { useFormats } from "../../core/format.ts";
import type { Reached } from "./invitation-words.ts";

/** How somebody was invited last, and whether they may be taken to give no response. */
export function PartyReached({ party, reached: { last, isProposed } }: { party: Party; reached: Reached }) {
  const formats = useFormats();
  if (!last) return null;
  const made = `Invited ${BY_CHANNEL[last.channel]} on ${formats.calendarDay(last.on)}`;
  if (isProposed)
    return (
      <p className="track-reached" data-proposed>
        {`No reply by ${formats.calendarDay(last.replyBy)}. If ${party.name} has not answered, record “No response” under Next step.`}
      </p>
    );
  return (
    <p className="track-reached">
      {last.replyBy === "" ? made : `${made}, reply by ${formats.calendarDay(last.replyBy)}`}
    </p>
  );
}
