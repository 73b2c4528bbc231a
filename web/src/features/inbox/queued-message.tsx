import { can } from "@app/shared/access";
import type { CaseMail, CaseMailRow } from "@app/shared/mail";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { DoubtedBounce } from "../outbox/doubted-bounce.tsx";
import { MailState } from "./mail-state.tsx";
import { PlainText } from "./plain-text.tsx";

/** A mail that was written here, and what became of it. */
export function QueuedMessage({ mail }: { mail: CaseMailRow }) {
  const user = useCurrentUser();
  const notes = [mail.reason, ...mail.warnings].filter(Boolean);
  return (
    <>
      <Group gap="sm" py="xs">
        <MailState mail={mail} />
        <span className="message-meta">
          To {mail.toName} ({mail.to}){mail.attachmentNames.length > 0 && `, with ${mail.attachmentNames.join(", ")}`}
        </span>
      </Group>
      {notes.map((note) => (
        <div key={note} className="message-note">
          {note}
        </div>
      ))}
      <Doubt mail={mail} />
      <Text mail={mail} />
      {can(user, "mail.send") && <QueuedActions mail={mail} />}
    </>
  );
}

/** A very long text goes on where somebody asks for that. */
function Text({ mail: { id, text, isCut } }: { mail: CaseMailRow }) {
  const [isWhole, setIsWhole] = useState(false);
  const whole = api.outbox.get.useQuery({ id }, { enabled: isWhole });
  if (whole.data) return <PlainText text={whole.data.text} />;
  return (
    <>
      <PlainText text={text} />
      {whole.error && <div className="message-note">{messageOf(whole.error)}</div>}
      {isCut && (
        <Group gap="sm" py="sm">
          <span className="message-meta">This message is longer than what is shown here.</span>
          <Button
            size="xs"
            variant="default"
            loading={whole.isFetching}
            onClick={() => (isWhole ? void whole.refetch() : setIsWhole(true))}
          >
            Show the whole message
          </Button>
        </Group>
      )}
    </>
  );
}

function Doubt({ mail: { id, saidToBounce } }: { mail: CaseMail }) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const settle = api.outbox.settleBounce.useMutation({
    onSettled: () => Promise.all([utils.outbox.list.invalidate(), utils.timeline.invalidate()]),
  });
  if (!can(user, "mail.send")) return null;
  const decide = (hasBounced: boolean) => settle.mutateAsync({ id, hasBounced });
  return <DoubtedBounce said={saidToBounce} isBusy={settle.isPending} onDecide={decide} />;
}

function QueuedActions({ mail: { id, state, sendAt } }: { mail: CaseMail }) {
  const utils = api.useUtils();
  const options = { onSettled: () => utils.outbox.list.invalidate() };
  const [changeId, renewId] = useNewId();
  const retry = api.outbox.retry.useMutation({ ...options, onSuccess: renewId });
  const cancel = api.outbox.cancel.useMutation(options);
  const sendNow = api.outbox.sendNow.useMutation(options);
  const act = async (work: Promise<unknown>, done: string) => {
    try {
      await work;
      notify(done);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  const mayRetry = state === "failed" || state === "uncertain";
  const mayCancel = state === "queued" || state === "failed";
  if (!mayRetry && !mayCancel) return null;
  return (
    <Group gap="xs" py="sm">
      {mayRetry && (
        <Button
          size="xs"
          variant="default"
          loading={retry.isPending}
          onClick={() => void act(retry.mutateAsync({ changeId, id }), "It will be sent again")}
        >
          {state === "uncertain" ? "Send it again" : "Try again"}
        </Button>
      )}
      {sendAt && (
        <Button
          size="xs"
          variant="default"
          loading={sendNow.isPending}
          onClick={() => void act(sendNow.mutateAsync({ id }), "It is on its way")}
        >
          Send now
        </Button>
      )}
      {mayCancel && (
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => void act(cancel.mutateAsync({ id }), "It will not be sent")}
        >
          Do not send
        </Button>
      )}
    </Group>
  );
}
