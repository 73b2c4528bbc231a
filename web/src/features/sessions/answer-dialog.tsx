import { PROPOSAL_STATUS_NAMES, type ProposalStatus } from "@app/shared/session-states";
import type { Proposal } from "@app/shared/sessions";
import { Stack, TextInput } from "@mantine/core";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { changeOrThrow } from "./use-session-changes.ts";
import { WhoSaid } from "./who-said.tsx";

interface Props {
  proposal: Proposal;
  to: ProposalStatus;
  onClose: () => void;
}

const nameOf = (to: ProposalStatus): string =>
  to === "offered" ? "offered again" : PROPOSAL_STATUS_NAMES[to].toLowerCase();

/** What became of an offer after its session was locked: who said so, and on which day. */
export function AnswerDialog({ proposal, to, onClose }: Props) {
  const { theCase, change } = useCockpit();
  const form = useServerForm({
    initialValues: { byPartyId: "", on: "" },
    validate: ({ byPartyId, on }): Record<string, string> => ({
      ...(byPartyId === "" ? { byPartyId: "Choose who said so" } : {}),
      ...(on === "" ? { on: "Enter the day on which it was said" } : {}),
    }),
    submit: async (answer, changeId) => {
      await changeOrThrow(change, {
        changeId,
        call: (sessions, id) => sessions.setProposalStatus.mutate({ ...id, proposalId: proposal.id, to, answer }),
      });
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`After the session: ${nameOf(to)}`}>
      <Form form={form} label="What was said after the session">
        <p className="cockpit-quote">{proposal.text}</p>
        <WhoSaid label="Who said so" parties={theCase.parties} mayBeJoint {...form.field("byPartyId")} />
        <Stack gap="lg">
          <TextInput
            type="date"
            label="On which day"
            description="The session stays locked. The answer stands beside the offer with this day and your name."
            {...form.field("on")}
          />
          <FormFoot isSaving={form.isSaving}>Record the answer</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
