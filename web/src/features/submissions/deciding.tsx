import type { Proposal, Submission } from "@app/shared/submissions";
import { Button, Group, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { isStale, messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { isFocusLost, takesFocus } from "../../ui/focus.ts";
import { useUnsaved } from "../../ui/unsaved.ts";

export type Choice = "accepted" | "edited" | "rejected";

interface Props {
  submission: Submission;
  proposal: Proposal;
  /** Somebody else was faster, or the client was changed. */
  onRefused: (proposal: Proposal, choice: Choice) => void;
}

/** What can be done with one proposed change. */
export function Deciding({ submission, proposal, onRefused }: Props) {
  const [text, setText] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { send, isPending, error } = useDeciding(submission, proposal, { edited: text ?? "", onRefused });
  // The button that waited for the answer let go of the keyboard.
  useEffect(() => {
    if (error && isFocusLost()) takesFocus(input.current);
  }, [error]);
  useUnsaved((isGoingOn) => text !== null && text !== proposal.after && !(isGoingOn && isPending));
  const accept = text === null ? "Accept" : "Store this";
  return (
    <>
      {text !== null && (
        <TextInput
          ref={input}
          aria-label={`${proposal.targetName}, as it is to be stored`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {error && (
        <p role="alert" className="review-failure">
          {messageOf(error)}
        </p>
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={isPending}
          aria-label={`${accept}: ${proposal.targetName}`}
          onClick={() => send(text === null ? "accepted" : "edited")}
        >
          {accept}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isPending}
          aria-label={`${text === null ? "Edit" : "Cancel"}: ${proposal.targetName}`}
          onClick={() => setText(text === null ? proposal.after : null)}
        >
          {text === null ? "Edit" : "Cancel"}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          disabled={isPending}
          aria-label={`Reject: ${proposal.targetName}`}
          onClick={() => send("rejected")}
        >
          Reject
        </Button>
      </Group>
    </>
  );
}

function useDeciding(
  submission: Submission,
  proposal: Proposal,
  { edited, onRefused }: Pick<Props, "onRefused"> & { edited: string },
) {
  const { fieldId } = proposal;
  const { id, version, clientVersion } = submission;
  const utils = api.useUtils();
  const [changeId, renew] = useNewId();
  const decide = api.submissions.decide.useMutation({
    onSuccess: async (changed) => {
      utils.submissions.get.setData({ id: changed.id }, changed);
      await Promise.all([utils.clients.invalidate(), utils.timeline.invalidate(), utils.submissions.invalidate()]);
    },
    onError: (error, { decision }) => {
      renew();
      if (isStale(error)) onRefused(proposal, decision);
      void utils.submissions.get.invalidate();
    },
  });
  const send = (decision: Choice) =>
    decide.mutate({
      id,
      changeId,
      version,
      clientVersion: clientVersion ?? 0,
      fieldId,
      decision,
      text: decision === "edited" ? edited : "",
    });
  return { send, isPending: decide.isPending, error: decide.error };
}
