import { hasSigned, isTakingPart } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { CONFIDENCES, type Confidences, confidencesName } from "@app/shared/confidences";
import type { StoredFile } from "@app/shared/files";
import { SIGNING_DAYS, SIGNING_DAYS_DEFAULT } from "@app/shared/signatures";
import { NOTE_MAX_LENGTH } from "@app/shared/text";
import { Checkbox, NativeSelect, Radio, Stack, Textarea } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { type Candidate, inOrder, WhoSigns } from "./who-signs.tsx";

interface Props {
  file: StoredFile;
  theCase: Case;
  onClose: () => void;
}

/** The parties who may read it, then the mediators of the case. */
function useCandidates({ file, theCase }: Props): Candidate[] {
  const people = api.users.colleagues.useQuery().data?.items ?? [];
  const parties = theCase.parties.filter((party) => isTakingPart(party) && reads(file, party));
  const mediators = theCase.mediators.flatMap(({ userId }) => people.find((one) => one.userId === userId) ?? []);
  return [
    ...parties.map(({ partyId, label, name }) => ({
      kind: "party" as const,
      id: partyId,
      label: `${name} (${label})`,
    })),
    ...mediators.map(({ userId, name }) => ({ kind: "mediator" as const, id: userId, label: `${name} (mediator)` })),
  ];
}

/** Who is to sign a PDF, until when, and whether it is the agreement to mediate. Nobody is chosen for you. */
export function SendForSignatureDialog({ file, theCase, onClose }: Props) {
  const candidates = useCandidates({ file, theCase, onClose });
  const form = useSending({ file, theCase, onClose }, candidates);
  const { isCodeAsked, isAgreement, confidences, days, words } = form.values;
  const mayAgree = theCase.parties.some((party) => isTakingPart(party) && reads(file, party) && !hasSigned(party));
  return (
    <Dialog isOpen onClose={onClose} title={`Send “${file.name}” for signature`} size="form" isDirty={form.isDirty()}>
      <Form form={form} label="Document to sign">
        <Stack gap="lg">
          <WhoSigns
            candidates={candidates}
            values={form.values}
            error={form.errors["signers"]}
            onSigners={(ids) => form.setFieldValue("signers", ids)}
            onOrder={(ids) => form.setFieldValue("order", ids)}
            onInOrder={(value) => form.setFieldValue("isInOrder", value)}
          />
          <Checkbox
            label="Ask each party for a code too"
            description="Six digits that you read to them by phone. Whoever has only the link, such as by reading their mail, then sees nothing."
            checked={isCodeAsked}
            onChange={({ currentTarget }) => form.setFieldValue("isCodeAsked", currentTarget.checked)}
          />
          {mayAgree && (
            <Checkbox
              label="This is the agreement to mediate"
              description="Whoever signs it is then “Agreement signed” in the case."
              checked={isAgreement}
              error={form.errors["isAgreement"]}
              onChange={({ currentTarget }) => form.setFieldValue("isAgreement", currentTarget.checked)}
            />
          )}
          {isAgreement && theCase.confidences === null && (
            <Radio.Group
              label="What it says of confidences"
              value={confidences}
              error={form.errors["confidences"]}
              onChange={(value) => form.setFieldValue("confidences", value)}
            >
              <Stack gap="sm" mt="xs">
                {CONFIDENCES.map((one) => (
                  <Radio key={one} value={one} label={confidencesName(one)} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <NativeSelect
            label="Time to sign"
            description="They are reminded once, two days before it is over."
            value={days}
            data={SIGNING_DAYS.map((count) => ({ value: String(count), label: `${count} days` }))}
            onChange={({ currentTarget }) => form.setFieldValue("days", currentTarget.value)}
          />
          <Textarea
            label="A few words before the link (optional)"
            description="All signers read the same words."
            autosize
            minRows={2}
            maxLength={NOTE_MAX_LENGTH}
            value={words}
            onChange={({ currentTarget }) => form.setFieldValue("words", currentTarget.value)}
          />
          <FormFoot isSaving={form.isSaving}>Send for signature</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

const reads = ({ visibility: { scope, partyIds, aboutPartyIds } }: StoredFile, { partyId }: Party): boolean =>
  aboutPartyIds.every((id) => id === partyId) &&
  (scope === "shared" || (scope === "party" && partyIds.includes(partyId)));

function saidOf({ isTold, isCodeAsked }: { isTold: boolean; isCodeAsked: boolean }): string {
  const sent = isTold
    ? "Sent. Somebody may not be emailed: a task says how to reach them"
    : "The links are on their way";
  return isCodeAsked ? `${sent}. Now give each party their code by phone` : sent;
}

const isConfidences = (value: string): value is Confidences => CONFIDENCES.some((one) => one === value);

function useSending({ file, theCase, onClose }: Props, candidates: readonly Candidate[]) {
  const utils = api.useUtils();
  const create = api.signatures.create.useMutation();
  return useServerForm({
    initialValues: {
      signers: new Array<string>(),
      order: new Array<string>(),
      isInOrder: false,
      isCodeAsked: false,
      isAgreement: false,
      confidences: "",
      days: String(SIGNING_DAYS_DEFAULT),
      words: "",
    },
    validate: ({ signers, isAgreement, confidences }) => ({
      ...(signers.length === 0 ? { signers: "Choose who is to sign" } : {}),
      ...(isAgreement && theCase.confidences === null && confidences === ""
        ? { confidences: "Choose what the agreement says of confidences" }
        : {}),
    }),
    submit: async ({ signers: ids, order, isInOrder, isCodeAsked, isAgreement, confidences, days, words }, id) => {
      const signers = inOrder(candidates, { signers: ids, order });
      const made = await create.mutateAsync({
        id,
        fileId: file.id,
        signers: signers.map((signer) => ({ kind: signer.kind, id: signer.id })),
        isInOrder: isInOrder && signers.length > 1,
        isCodeAsked,
        isAgreement,
        confidences: isAgreement && isConfidences(confidences) ? confidences : null,
        days: SIGNING_DAYS.find((count) => String(count) === days) ?? SIGNING_DAYS_DEFAULT,
        words,
      });
      await Promise.all([utils.signatures.invalidate(), utils.timeline.invalidate(), utils.tasks.invalidate()]);
      const isTold = made.signers.some(({ task }) => task !== "");
      notify(saidOf({ isTold, isCodeAsked }));
      onClose();
    },
  });
}
