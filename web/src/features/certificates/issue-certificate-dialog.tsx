import { type CertificateChoices, FEWER_REASON_MAX_LENGTH, lastDayOf, reliedUntil } from "@app/shared/certificates";
import { hasWord } from "@app/shared/has-word";
import { BY_CHANNEL } from "@app/shared/ladders";
import { lateWords, miamRulesOn, type Statement, STATEMENTS } from "@app/shared/miam-rules";
import { Checkbox, Stack, Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import {
  Blocked,
  LateConfirm,
  ReplacedField,
  OwnWordsConfirm,
  whyLate,
  whyReplaced,
  whyUnread,
} from "./signing-fields.tsx";

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

interface Values {
  statements: Statement[];
  isHarmless: boolean;
  isOtherDispute: boolean;
  isLateConfirmed: boolean;
  hasReadWords: boolean;
  fewerReason: string;
  replaceReason: string;
}

function useIssueForm({ choices, assessmentId, onClose }: Omit<Props, "name"> & { choices: CertificateChoices }) {
  const today = useToday();
  const utils = api.useUtils();
  const issue = api.certificates.issue.useMutation();
  return useServerForm<Values>({
    initialValues: {
      statements: [],
      isHarmless: false,
      isOtherDispute: false,
      isLateConfirmed: false,
      hasReadWords: false,
      fewerReason: "",
      replaceReason: "",
    },
    validate: (values) => ({
      ...whyReplaced(choices.replaces, values.replaceReason),
      ...whyUnread(choices.ownWords, values.hasReadWords),
      ...whyLate(reliedUntil(choices.attendedOn) < today, values.isLateConfirmed),
      ...(asksFewer(choices, values.statements) && !hasWord(values.fewerReason)
        ? { fewerReason: "Not every step of the invitation was tried. Say why fewer were enough." }
        : {}),
    }),
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
  });
}

function IssueForm(props: Omit<Props, "name"> & { choices: CertificateChoices }) {
  const today = useToday();
  const formats = useFormats();
  const { choices } = props;
  const form = useIssueForm(props);
  const { statements, isLateConfirmed, isHarmless, isOtherDispute } = form.values;
  if (choices.blockers.length > 0) return <Blocked blockers={choices.blockers} />;
  const rules = miamRulesOn(choices.attendedOn);
  const lastDay = lastDayOf(choices, today);
  const until = reliedUntil(choices.attendedOn);
  return (
    <Form form={form} label="Certificate">
      <Stack gap="lg">
        <span>{choices.attended}</span>
        <Meeting choices={choices} lastDay={lastDay} today={today} />
        {rules && until < today && (
          <LateConfirm
            words={lateWords(rules, formats.calendarDay(until))}
            isConfirmed={isLateConfirmed}
            error={form.errors["isLateConfirmed"]}
            onChange={(isSeen) => form.setFieldValue("isLateConfirmed", isSeen)}
          />
        )}
        <Statements
          choices={choices}
          value={statements}
          error={form.errors["statements"]}
          onChange={(chosen) => form.setFieldValue("statements", chosen)}
        />
        <OwnWordsConfirm
          words={choices.ownWords}
          isRead={form.values.hasReadWords}
          error={form.errors["hasReadWords"]}
          onChange={(isRead) => form.setFieldValue("hasReadWords", isRead)}
        />
        <Unanswered choices={choices} said={statements}>
          <Textarea
            label="Why were fewer attempts enough?"
            description="Kept with the certificate for the practice, and not printed on it"
            autosize
            minRows={1}
            maxLength={FEWER_REASON_MAX_LENGTH}
            {...form.field("fewerReason")}
          />
        </Unanswered>
        <Warnings label="Before you issue it" words={wordsOf(choices, statements, ({ warning }) => warning)}>
          <Checkbox
            label="I have made sure that saying this puts nobody in danger"
            checked={isHarmless}
            error={form.errors["isHarmless"]}
            aria-invalid={form.errors["isHarmless"] !== undefined}
            onChange={(event) => form.setFieldValue("isHarmless", event.currentTarget.checked)}
          />
        </Warnings>
        <Warnings label="Which dispute" words={wordsOf(choices, statements, ({ otherDispute }) => otherDispute)}>
          <Checkbox
            label="The application is about another dispute"
            checked={isOtherDispute}
            error={form.errors["isOtherDispute"]}
            aria-invalid={form.errors["isOtherDispute"] !== undefined}
            onChange={(event) => form.setFieldValue("isOtherDispute", event.currentTarget.checked)}
          />
        </Warnings>
        <ReplacedField replaces={choices.replaces} {...form.field("replaceReason")} />
        <FormFoot isSaving={form.isSaving} isSticky>
          Issue certificate
        </FormFoot>
      </Stack>
    </Form>
  );
}

const asksFewer = ({ statements }: CertificateChoices, said: readonly Statement[]): boolean =>
  statements.some((each) => each.asksFewer && said.includes(each.statement));

interface UnansweredProps {
  choices: CertificateChoices;
  said: readonly Statement[];
  /** Where it is said why that was enough. */
  children: ReactNode;
}

/** How those who did not answer were tried, before somebody signs that nobody else is willing. */
function Unanswered({ choices, said, children }: UnansweredProps) {
  const formats = useFormats();
  if (!asksFewer(choices, said)) return null;
  const listOf = (items: readonly string[]) => items.join("; ");
  return (
    <Stack gap="xs" role="group" aria-label="Who did not answer">
      {choices.unanswered.map(({ label, attempts, untried, reason }) => (
        <div key={label}>
          <p>
            {`${label} was invited ${listOf(attempts.map(({ channel, on }) => `${BY_CHANNEL[channel]} on ${formats.calendarDay(on)}`))}, and did not answer.`}
          </p>
          <p className="quiet-text">
            {`Not tried: ${listOf(untried.map(({ step, channel, isUnsafe }) => `step ${step}, ${isUnsafe ? "by a safe way" : BY_CHANNEL[channel]}`))}.`}
            {reason && ` Noted when “No response” was recorded: ${reason}`}
          </p>
        </div>
      ))}
      {children}
    </Stack>
  );
}

/** Each thing once that is told of what was chosen. */
const wordsOf = (
  { statements }: CertificateChoices,
  said: readonly Statement[],
  toldOf: (statement: CertificateChoices["statements"][number]) => string,
): string[] => [...new Set(statements.filter(({ statement }) => said.includes(statement)).map(toldOf))].filter(Boolean);

interface WarningsProps {
  label: string;
  words: readonly string[];
  /** What confirms them. */
  children: ReactNode;
}

/** What to be sure of before what was chosen is said. */
function Warnings({ label, words, children }: WarningsProps) {
  if (words.length === 0) return null;
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      {words.map((each) => (
        <p key={each}>{each}</p>
      ))}
      {children}
    </Stack>
  );
}

function Meeting({ choices, lastDay, today }: { choices: CertificateChoices; lastDay: string; today: string }) {
  const { attendedOn, mediatorName, minutes, countsFrom } = choices;
  const formats = useFormats();
  const basis = countsFrom === "attendance" ? "counted from the meeting" : "counted from the day of issue";
  return (
    <Facts
      labelWidth={116}
      facts={[
        { label: "Attended on", value: formats.calendarDay(attendedOn) },
        { label: "Conducted by", value: mediatorName },
        { label: "Took", value: minutes === null ? "" : `${minutes} minutes` },
        { label: "Issued on", value: `${formats.calendarDay(today)}, today` },
        { label: "Last day", value: `${formats.calendarDay(lastDay)}, ${basis}` },
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
