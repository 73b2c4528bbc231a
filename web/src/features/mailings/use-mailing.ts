import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { notifyError } from "../../core/notify.ts";

const POLL_MS = 1000;

/** A mailing as it stands; while it is being sent, it is asked again and again. */
export const useMailing = (id: string) =>
  api.mailings.get.useQuery(
    { id },
    { refetchInterval: ({ state }) => (state.data?.state === "sending" ? POLL_MS : false) },
  );

/** The steps that a person takes with a mailing; a refusal is told. */
export function useMailingSteps(id: string) {
  const utils = api.useUtils();
  const [isBusy, setIsBusy] = useState(false);
  const [changeId, renewId] = useNewId();
  const start = api.mailings.start.useMutation();
  const pause = api.mailings.pause.useMutation();
  const cancel = api.mailings.cancel.useMutation();
  const resend = api.mailings.resend.useMutation();

  async function run(step: () => Promise<unknown>): Promise<void> {
    setIsBusy(true);
    try {
      await step();
      renewId();
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      setIsBusy(false);
      await utils.mailings.invalidate();
    }
  }

  return {
    isBusy,
    start: () => run(() => start.mutateAsync({ changeId, id })),
    pause: () => run(() => pause.mutateAsync({ id })),
    cancel: () => run(() => cancel.mutateAsync({ id })),
    resend: (itemId: string) => run(() => resend.mutateAsync({ changeId, mailingId: id, id: itemId })),
  };
}
