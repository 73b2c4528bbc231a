import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import type { FormLink } from "@app/shared/form-links";
import { LINK_STATE_NAMES } from "@app/shared/submission-limits";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { copyLink } from "./copy-link.ts";

interface Props {
  link: FormLink;
  client: Client;
  theCase: Case | null;
  mayChange: boolean;
  onOpen: (submissionId: string) => void;
}

/** One form that a client was given: what became of it, from what was recorded, and what can be done next. */
export function FormLinkRow({ link, client, theCase, mayChange, onOpen }: Props) {
  const { formName, state, submissionId, task } = link;
  const isOpen = state !== "done" && state !== "expired" && state !== "revoked";
  const party = theCase?.parties.find(({ clientId }) => clientId === client.id);
  return (
    <li className="form-link">
      <div className="form-link-what">
        <strong>{formName}</strong>
        <Chip>{LINK_STATE_NAMES[state]}</Chip>
        {theCase && (
          <span className="quiet-text">
            {theCase.caseRef}
            {party && `, ${party.label}`}
          </span>
        )}
      </div>
      <History link={link} />
      {task && isOpen && <p className="quiet-text">Not mailed. Asked of a colleague: {task}</p>}
      <Group gap="xs">
        {submissionId && (
          <Button size="xs" variant="default" onClick={() => onOpen(submissionId)}>
            Read answers
          </Button>
        )}
        {mayChange && isOpen && <OpenLinkActions link={link} />}
      </Group>
    </li>
  );
}

function History({ link }: { link: FormLink }) {
  const formats = useFormats();
  const at = (instant: string) => formats.dateTime(instant);
  const steps = [
    `Made ${at(link.createdAt)} by ${link.createdByName}`,
    link.sentAt && `Sent ${at(link.sentAt)}`,
    link.remindedAt && `Reminded ${at(link.remindedAt)}`,
    link.openedAt && `Opened ${at(link.openedAt)}`,
    link.savedAt && !link.submittedAt && `Last saved ${at(link.savedAt)}`,
    link.submittedAt && `Sent in ${at(link.submittedAt)}`,
    !link.submittedAt && `Works until ${at(link.expiresAt)}`,
  ].filter(Boolean);
  return <p className="quiet-text">{steps.join(" · ")}</p>;
}

/** What can still be done with a link that works. */
function OpenLinkActions({ link: { id, state, formName } }: { link: FormLink }) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const [isRevoking, setIsRevoking] = useState(false);
  const { changeId, send, remind, revoke } = useLinkChanges();
  const copy = async () => {
    try {
      const { address } = await utils.submissions.openLink.fetch({ id });
      await copyLink(address);
      notify("Link copied. Whoever has it can read what was answered");
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  const isFirst = state === "made";
  return (
    <>
      {can(user, "mail.send") && (
        <Button
          size="xs"
          variant="default"
          loading={send.isPending || remind.isPending}
          onClick={() => (isFirst ? send : remind).mutate({ id, changeId, words: "" })}
        >
          {isFirst ? "Send by email" : "Remind"}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => void copy()}>
        Copy link
      </Button>
      <Button size="xs" variant="subtle" color="red" onClick={() => setIsRevoking(true)}>
        Take back
      </Button>
      <ConfirmDialog
        isOpen={isRevoking}
        onClose={() => setIsRevoking(false)}
        title={`Take back the link to “${formName}”?`}
        confirmLabel="Take back"
        isBusy={revoke.isPending}
        onConfirm={() => revoke.mutate({ id }, { onSuccess: () => setIsRevoking(false) })}
      >
        From then on it leads nowhere, also where somebody is in the middle of answering. It cannot be brought back; you
        can send a new one.
      </ConfirmDialog>
    </>
  );
}

const mailedOr = ({ task }: FormLink, sent: string) =>
  task ? "A task was made: this client may not be emailed" : sent;

/** What changes a link, and says so. */
function useLinkChanges() {
  const utils = api.useUtils();
  const [changeId, renew] = useNewId();
  const saying = (said: (link: FormLink) => string) => ({
    onError: (error: unknown) => notifyError(messageOf(error)),
    onSuccess: async (link: FormLink) => {
      renew();
      await utils.submissions.invalidate();
      notify(said(link));
    },
  });
  return {
    changeId,
    send: api.submissions.sendLink.useMutation(saying((link) => mailedOr(link, "The link is on its way"))),
    remind: api.submissions.remind.useMutation(saying((link) => mailedOr(link, "The reminder is on its way"))),
    revoke: api.submissions.revokeLink.useMutation(saying(() => "The link does not work any more")),
  };
}
