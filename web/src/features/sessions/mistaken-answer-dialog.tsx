import { hasWord } from "@app/shared/has-word";
import { TIME_REASON_MAX_LENGTH } from "@app/shared/session-times";
import type { Proposal } from "@app/shared/sessions";
import { Stack, TextInput } from "@mantine/core";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { changeOrThrow } from "./use-session-changes.ts";

interface Props {
  proposal: Proposal;
  onClose: () => void;
}

/** Takes back that an offer was accepted, where nobody had accepted it. */
export function MistakenAnswerDialog({ proposal, onClose }: Props) {
  const { change } = useCockpit();
  const form = useServerForm({
    initialValues: { mistake: "" },
    validate: ({ mistake }): Record<string, string> =>
      hasWord(mistake) ? {} : { mistake: "Say why it was noted in error" },
    submit: async ({ mistake }, changeId) => {
      const call = { proposalId: proposal.id, to: "offered" as const, mistake };
      await changeOrThrow(change, {
        changeId,
        call: (sessions, id) => sessions.setProposalStatus.mutate({ ...id, ...call }),
      });
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Was it noted as accepted by mistake?" size="form">
      <Form form={form} label="Take the acceptance back">
        <p className="cockpit-quote">{proposal.text}</p>
        <Stack gap="lg">
          <p>
            It is offered as before. What was noted stays in its history, with your reason and your name. If they
            accepted it and changed their mind, choose “Withdrawn” instead.
          </p>
          <TextInput label="Why was it noted in error?" maxLength={TIME_REASON_MAX_LENGTH} {...form.field("mistake")} />
          <FormFoot isSaving={form.isSaving}>Take it back</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
