import { AGREED_WAY_NAMES, asksIfAgreed } from "@app/shared/agreed-times";
import type { Meeting } from "@app/shared/meetings";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";

interface Props {
  meeting: Meeting;
  partyId: string;
  mayManage: boolean;
}

/** Asked of whoever missed their MIAM: only of whoever had agreed to it a certificate may say that they did not come. */
export function AgreedTime({ meeting, partyId, mayManage }: Props) {
  const utils = api.useUtils();
  const note = api.meetings.noteAgreedTime.useMutation({
    onSettled: () =>
      Promise.all([utils.meetings.invalidate(), utils.certificates.invalidate(), utils.timeline.invalidate()]),
  });
  const how = meeting.agreedTimes.find((one) => one.partyId === partyId)?.how;
  if (!asksIfAgreed(meeting, partyId)) return null;
  const isConfirmed = how === "confirmed";
  if (!mayManage)
    return how ? (
      <p className="quiet-text">Agreed to this time: {isConfirmed ? "it was confirmed" : AGREED_WAY_NAMES[how]}</p>
    ) : null;
  const save = async (chosen: keyof typeof AGREED_WAY_NAMES) => {
    try {
      await note.mutateAsync({ id: meeting.id, partyId, how: chosen });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <>
      {isConfirmed && (
        <p className="quiet-text">
          It was confirmed before it began, so it counts as agreed with them. Correct it here.
        </p>
      )}
      <ChoiceField
        label="Had they agreed to this time?"
        choices={AGREED_WAY_NAMES}
        value={how === undefined || isConfirmed ? "" : how}
        error={undefined}
        isTall
        onChange={(chosen) => void save(chosen)}
      />
    </>
  );
}
