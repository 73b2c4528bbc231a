import type { Submission } from "@app/shared/submissions";
import { Button, NativeSelect, Stack } from "@mantine/core";
import { useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ClientSelect } from "../cases/client-select.tsx";

/** Of answers that came by no link of a client's own: whose they are, which somebody of the practice says or takes back. */
export function WhoseAnswers({ submission }: { submission: Submission }) {
  if (submission.status === "withdrawn" && submission.clientId === null)
    return <p className="quiet-text">These answers were withdrawn, so they are given to nobody any more.</p>;
  return submission.clientId ? <TakeBack submission={submission} /> : <Give submission={submission} />;
}

function useWhose() {
  const utils = api.useUtils();
  return {
    changed: async (after: Submission) => {
      utils.submissions.get.setData({ id: after.id }, after);
      await Promise.all([
        utils.submissions.invalidate(),
        utils.clients.invalidate(),
        utils.timeline.invalidate(),
        utils.tasks.invalidate(),
      ]);
    },
    failed: (error: unknown) => {
      notifyError(messageOf(error));
      void utils.submissions.get.invalidate();
    },
  };
}

function Give({ submission: { id, version } }: { submission: Submission }) {
  const { changed, failed } = useWhose();
  const [clientId, setClientId] = useState("");
  const [caseId, setCaseId] = useState("");
  const takeBack = api.submissions.unassign.useMutation({ onSuccess: changed, onError: failed });
  const give = api.submissions.assign.useMutation({
    onError: failed,
    onSuccess: async (after) => {
      await changed(after);
      const onAct = () => takeBack.mutate({ id, version: after.version });
      notify(`These answers are ${after.clientName}’s now`, { label: "Undo", onAct });
    },
  });
  // The second press of a double click comes before the button is drawn as busy.
  const isGiving = useRef(false);
  const giveOnce = () => {
    if (isGiving.current) return;
    isGiving.current = true;
    const again = () => void (isGiving.current = false);
    give.mutate({ id, version, clientId, caseId: caseId || null }, { onError: again });
  };
  return (
    <section>
      <h3 className="submission-page">Whose answers are these?</h3>
      <Stack gap="sm" pt="sm">
        <p className="quiet-text">
          These answers came by the general link, so they belong to nobody yet. Choose whose they are to see what they
          would change on that client’s record. Nothing changes before you accept it.
        </p>
        <ClientSelect
          label="Client"
          value={clientId}
          onChange={(chosen) => {
            setClientId(chosen);
            setCaseId("");
          }}
        />
        {clientId !== "" && <CaseOfClient clientId={clientId} value={caseId} onChange={setCaseId} />}
        <Button
          variant="default"
          className="submission-give"
          disabled={clientId === ""}
          loading={give.isPending}
          onClick={giveOnce}
        >
          Give to this client
        </Button>
      </Stack>
    </section>
  );
}

interface CaseProps {
  clientId: string;
  value: string;
  onChange: (caseId: string) => void;
}

function CaseOfClient({ clientId, value, onChange }: CaseProps) {
  const cases = api.cases.ofClient.useQuery({ id: clientId });
  const items = cases.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <NativeSelect
      label="About the case (optional)"
      value={value}
      data={[
        { value: "", label: "No case" },
        ...items.map(({ id, caseRef, parties }) => ({
          value: id,
          label: `${caseRef}: ${parties.map(({ name }) => name).join(", ")}`,
        })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function TakeBack({ submission: { id, version, clientName, proposals } }: { submission: Submission }) {
  const { changed, failed } = useWhose();
  const [isAsked, setIsAsked] = useState(false);
  const taken = proposals.filter(({ decision }) => decision === "accepted" || decision === "edited");
  const takeBack = api.submissions.unassign.useMutation({
    onError: failed,
    onSuccess: async (after) => {
      await changed(after);
      notify("These answers no longer belong to anybody");
    },
    onSettled: () => setIsAsked(false),
  });
  const ask = () => (taken.length > 0 ? setIsAsked(true) : takeBack.mutate({ id, version }));
  return (
    <p className="quiet-text submission-whose">
      Somebody of the practice said that these answers are {clientName}’s.
      <Button size="xs" variant="subtle" loading={takeBack.isPending} onClick={ask}>
        Take that back
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={`Are these answers not ${clientName}’s?`}
        confirmLabel="Put back and take away"
        isBusy={takeBack.isPending}
        onConfirm={() => takeBack.mutate({ id, version, putsBack: true })}
      >
        <p>Some of them were taken over into {clientName}’s record. Before they are taken away, this is put back:</p>
        <ul>
          {taken.map(({ fieldId, targetName, before, after }) => (
            <li key={fieldId}>
              {targetName}: {after || "Empty"} becomes {before || "Empty"} again
            </li>
          ))}
        </ul>
        <p>What somebody has changed since stays as it is.</p>
      </ConfirmDialog>
    </p>
  );
}
