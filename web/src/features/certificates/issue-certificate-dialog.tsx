import { type CertificateChoices, VOID_REASON_MAX_LENGTH } from "@app/shared/certificates";
import { type Statement, STATEMENTS } from "@app/shared/miam-rules";
import { Checkbox, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

interface Props {
  assessmentId: string;
  /** Of whoever attended. */
  name: string;
  onClose: () => void;
}

/** What may be certified of one meeting, with the fact that allows it; what may not, with the one that is missing. */
export function IssueCertificateDialog({ assessmentId, name, onClose }: Props) {
  const choices = api.certificates.choices.useQuery({ assessmentId }, { staleTime: 0 });
  return (
    <Dialog isOpen onClose={onClose} title={`Issue a MIAM certificate to ${name}`} size="form">
      <Loaded query={choices} failureTitle="What can be certified could not be read">
        {(data) => <IssueForm choices={data} assessmentId={assessmentId} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function IssueForm({ choices, assessmentId, onClose }: Omit<Props, "name"> & { choices: CertificateChoices }) {
  const today = useToday();
  const utils = api.useUtils();
  const issue = api.certificates.issue.useMutation();
  const { blockers, replaces, attended } = choices;
  const form = useServerForm<{ statements: Statement[]; isHarmless: boolean; issuedOn: string; replaceReason: string }>(
    {
      initialValues: { statements: [], isHarmless: false, issuedOn: today, replaceReason: "" },
      validate: ({ replaceReason }): Record<string, string> =>
        replaces.length > 0 && !replaceReason.trim() ? { replaceReason: "Say why it is void" } : {},
      submit: async (values, id) => {
        const { number } = await issue.mutateAsync({ id, assessmentId, ...values });
        await Promise.all([
          utils.certificates.invalidate(),
          utils.assessments.invalidate(),
          utils.partyView.invalidate(),
          utils.timeline.invalidate(),
        ]);
        notify(`Certificate ${number} issued`);
        onClose();
      },
    },
  );
  if (blockers.length > 0)
    return (
      <FormFailure>
        {blockers.map((words) => (
          <p key={words}>{words}</p>
        ))}
      </FormFailure>
    );
  return (
    <Form form={form} label="Certificate">
      <Stack gap="lg">
        <span>{attended}</span>
        <Meeting choices={choices} />
        <Statements
          choices={choices}
          value={form.values.statements}
          error={form.errors["statements"]}
          onChange={(statements) => form.setFieldValue("statements", statements)}
        />
        <Warnings choices={choices} said={form.values.statements}>
          <Checkbox
            label="I have made sure that saying this puts nobody in danger"
            checked={form.values.isHarmless}
            error={form.errors["isHarmless"]}
            onChange={(event) => form.setFieldValue("isHarmless", event.currentTarget.checked)}
          />
        </Warnings>
        <TextInput
          label="Issued on"
          type="date"
          min={choices.attendedOn}
          max={today}
          maw={200}
          {...form.field("issuedOn")}
        />
        {replaces.length > 0 && (
          <Replaced replaces={replaces}>
            <TextInput
              label={`Why is ${replaces.map(({ number }) => number).join(" and ")} void?`}
              description="One certificate stands for a meeting: the new one makes it void"
              maxLength={VOID_REASON_MAX_LENGTH}
              {...form.field("replaceReason")}
            />
          </Replaced>
        )}
        <FormFoot isSaving={form.isSaving} isSticky>
          Issue certificate
        </FormFoot>
      </Stack>
    </Form>
  );
}

interface WarningsProps {
  choices: CertificateChoices;
  said: readonly Statement[];
  /** What confirms them. */
  children: ReactNode;
}

/** What to be sure of before what was chosen is said. */
function Warnings({ choices, said, children }: WarningsProps) {
  const warned = choices.statements.filter(({ statement, warning }) => warning && said.includes(statement));
  if (warned.length === 0) return null;
  return (
    <Stack gap="xs" role="group" aria-label="Before you issue it">
      {warned.map(({ statement, warning }) => (
        <p key={statement}>{warning}</p>
      ))}
      {children}
    </Stack>
  );
}

/** One that was used is with a court, who is to hear that another one takes its place. */
function Replaced({ replaces, children }: { replaces: CertificateChoices["replaces"]; children: ReactNode }) {
  const formats = useFormats();
  return (
    <>
      {replaces
        .filter(({ usedOn }) => usedOn)
        .map(({ number, usedOn }) => (
          <p key={number}>
            {number} was used on {formats.calendarDay(usedOn)}. Tell whoever it was given to that a new one replaces it.
          </p>
        ))}
      {children}
    </>
  );
}

function Meeting({ choices }: { choices: CertificateChoices }) {
  const { attendedOn, mediatorName, minutes, expiresOn, countsFrom } = choices;
  const formats = useFormats();
  const basis = countsFrom === "attendance" ? "counted from the meeting" : "if it is issued today";
  return (
    <Facts
      labelWidth={116}
      facts={[
        { label: "Attended on", value: formats.calendarDay(attendedOn) },
        { label: "Conducted by", value: mediatorName },
        { label: "Took", value: minutes === null ? "" : `${minutes} minutes` },
        { label: "Last day", value: `${formats.calendarDay(expiresOn)}, ${basis}` },
      ]}
    />
  );
}

interface StatementsProps {
  choices: CertificateChoices;
  value: Statement[];
  error: string | undefined;
  onChange: (statements: Statement[]) => void;
}

function Statements({ choices, value, error, onChange }: StatementsProps) {
  const choose = (chosen: string[]) => onChange(STATEMENTS.filter((each) => chosen.includes(each)));
  const offered = choices.statements.toSorted((one, other) => Number(other.isAllowed) - Number(one.isAllowed));
  return (
    <Checkbox.Group
      label="What else it says (optional)"
      description="Only what the records of the case say"
      value={value}
      error={error}
      onChange={choose}
    >
      <Stack gap="sm" pt="xs">
        {offered.map(({ statement, sentence, isAllowed, because }) => (
          <Checkbox
            key={statement}
            value={statement}
            label={sentence}
            description={because}
            disabled={!isAllowed}
            aria-invalid={error !== undefined}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
