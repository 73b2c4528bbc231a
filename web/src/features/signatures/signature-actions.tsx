import { can } from "@app/shared/access";
import type { Signature } from "@app/shared/signatures";
import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";

interface Props {
  signature: Signature;
  maySend: boolean;
}

/** The record of what happened, and the way to take it back while somebody has not signed. */
export function SignatureActions({ signature, maySend }: Props) {
  const user = useCurrentUser();
  const [dialog, setDialog] = useState<"trail" | "void" | null>(null);
  const close = () => setDialog(null);
  const mayVoid = maySend && signature.status !== "completed" && signature.status !== "void";
  return (
    <>
      {can(user, "audit.read") && (
        <Button size="xs" variant="subtle" onClick={() => setDialog("trail")}>
          What happened
        </Button>
      )}
      {mayVoid && (
        <Button size="xs" variant="subtle" color="red" onClick={() => setDialog("void")}>
          Withdraw
        </Button>
      )}
      {dialog === "trail" && <TrailDialog signature={signature} onClose={close} />}
      {dialog === "void" && <WithdrawDialog signature={signature} onClose={close} />}
    </>
  );
}

interface DialogProps {
  signature: Signature;
  onClose: () => void;
}

function TrailDialog({ signature: { id, fileName }, onClose }: DialogProps) {
  const formats = useFormats();
  const { data, error } = api.signatures.trail.useQuery({ id });
  return (
    <Dialog isOpen onClose={onClose} title={`What happened to “${fileName}”`} size="form" footer={<BackButton />}>
      {error && <FormFailure>{messageOf(error)}</FormFailure>}
      {data && !data.isWhole && (
        <FormFailure>Lines of this record were changed or left out afterwards. Do not rely on it.</FormFailure>
      )}
      <ol className="signature-trail">
        {data?.events.map(({ at, text, from, hash }) => (
          <li key={hash}>
            {text}
            <span className="quiet-text">
              {formats.dateTime(at)}
              {from && ` · ${from}`}
            </span>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

function WithdrawDialog({ signature: { id, fileName }, onClose }: DialogProps) {
  const utils = api.useUtils();
  const [reason, setReason] = useState("");
  const { mutate, isPending, error } = api.signatures.void.useMutation({
    onSuccess: async () => {
      await Promise.all([utils.signatures.invalidate(), utils.timeline.invalidate()]);
      notify("It cannot be signed any more");
      onClose();
    },
  });
  const footer = (
    <>
      <BackButton />
      <Button
        color="red"
        disabled={reason.trim() === ""}
        loading={isPending}
        onClick={() => mutate({ id, reason: reason.trim() })}
      >
        Withdraw
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={`Withdraw “${fileName}”?`} footer={footer} isDirty={reason !== ""}>
      {error && <FormFailure>{messageOf(error)}</FormFailure>}
      <p className="quiet-text">Nobody can sign it from then on. What was signed so far stays in the record.</p>
      <Textarea
        label="Why"
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Dialog>
  );
}
