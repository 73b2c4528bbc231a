import { type AnswersMovedTo, SUBMISSION_MOVES } from "@app/shared/submission-states";
import type { Submission } from "@app/shared/submissions";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

const MOVE_NAMES = {
  under_review: "Start looking at it",
  processed: "Dealt with",
  withdrawn: "Withdraw",
} as const satisfies Record<AnswersMovedTo, string>;

/** What may become of answers from the state in which they are. */
export function SubmissionMoves({ submission }: { submission: Submission }) {
  const { id, version, status, isSuspect } = submission;
  const [isAsked, setIsAsked] = useState(false);
  const utils = api.useUtils();
  const after = {
    onError: (error: unknown) => {
      notifyError(messageOf(error));
      void utils.submissions.get.invalidate();
    },
    onSuccess: async () => {
      await utils.submissions.invalidate();
      notify("Saved");
    },
    onSettled: () => setIsAsked(false),
  };
  const setStatus = api.submissions.setStatus.useMutation(after);
  const setSuspect = api.submissions.setSuspect.useMutation(after);
  if (isSuspect)
    return (
      <Button
        variant="default"
        loading={setSuspect.isPending}
        onClick={() => setSuspect.mutate({ id, isSuspect: false })}
      >
        This is no spam
      </Button>
    );
  const move = (to: AnswersMovedTo) => setStatus.mutate({ id, version, status: to });
  return (
    <Group gap="xs" justify="flex-end">
      {SUBMISSION_MOVES[status].map((to) => (
        <Button
          key={to}
          variant={to === "withdrawn" ? "default" : "filled"}
          loading={setStatus.isPending}
          onClick={() => (to === "withdrawn" ? setIsAsked(true) : move(to))}
        >
          {MOVE_NAMES[to]}
        </Button>
      ))}
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title="Withdraw these answers?"
        confirmLabel="Withdraw these answers"
        isBusy={setStatus.isPending}
        onConfirm={() => move("withdrawn")}
      >
        <p>
          Nothing of them is taken over any more, and that cannot be undone. What was taken over already stays with the
          client.
        </p>
      </ConfirmDialog>
    </Group>
  );
}
