import {
  isReasoned,
  isOfDecision,
  LEFT_PARTY_STATUSES,
  partyStandingName,
  type PartyStatus,
  partyStatusName,
  sidesInMediation,
} from "@app/shared/case-states";
import { partyWays } from "@app/shared/case-transitions";
import type { Case, Party } from "@app/shared/cases";
import { cameUnasked } from "@app/shared/contact-agreements";
import type { Confidences } from "@app/shared/confidences";
import { awaitedUntil } from "@app/shared/ladders";
import { Button, Group, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { useToday } from "../../core/today.ts";
import { Section } from "../../ui/section.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { ConfidencesField } from "./confidences-field.tsx";
import { earliestDay } from "./earliest-day.ts";
import type { Reached } from "./invitation-words.ts";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  party: Party;
  /** Null while it is being read. */
  reached: Reached | null;
  onClose: () => void;
}

interface StepValues {
  to: PartyStatus | "";
  on: string;
  reason: string;
  confidences: Confidences | "";
  decision: "own" | "others" | "";
  agreed: "yes" | "no" | "";
}

/** Records the step; whoever signs first says what the agreement says. */
function useStep({ theCase, party, onClose }: Props, today: string) {
  const changed = useCaseChanged();
  const { region } = useCurrentUser();
  const move = api.casework.moveParty.useMutation();
  return useOpenedForm<Case, StepValues>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { to: "", on: today, reason: "", confidences: "", decision: "", agreed: "" },
    validate: ({ to, confidences, decision, agreed }): Record<string, string> => ({
      ...(to === "" ? { to: "Choose what happened" } : {}),
      ...(asksConfidences(theCase, to) && confidences === ""
        ? { confidences: "Choose what the agreement says of confidences" }
        : {}),
      ...(asksWhose(to) && decision === "" ? { isOwnDecision: "Choose whose decision it was" } : {}),
      ...(to === "miam_booked" && agreed === "" ? { hasAgreed: "Choose whether they agreed to it" } : {}),
    }),
    submit: async ({ to, on, reason, decision, agreed, ...said }, opened) => {
      if (to === "") return;
      const { id, version } = opened;
      const confidences = asksConfidences(opened, to) ? said.confidences || null : null;
      const isOwnDecision = asksWhose(to) ? decision === "own" : null;
      const hasAgreed = to === "miam_booked" ? agreed === "yes" : null;
      const step = { to, on, reason, confidences, isOwnDecision, hasAgreed };
      await move.mutateAsync({ id, version, partyId: party.partyId, ...step });
      await changed();
      notify(`${party.label}: ${partyStatusName({ ...theCase, region }, to)}`);
      onClose();
    },
  });
}

type StepFields = ReturnType<typeof useStep>;

/** Whether somebody else may have said it for them. */
const asksWhose = (to: PartyStatus | ""): boolean => to !== "" && isOfDecision(to);

const asksConfidences = ({ confidences }: Case, to: PartyStatus | ""): boolean =>
  to === "agreement_signed" && confidences === null;

/** Whether this step says why: also that nobody answered, while they still may, or how somebody came whom nobody was to ask. */
const asksWhy = ({ theCase, party, reached }: Omit<Props, "onClose">, to: PartyStatus | "", today: string): boolean =>
  to !== "" &&
  (isReasoned(party.status, to) ||
    cameUnasked(theCase, party, to) ||
    (to === "no_response" && party.status === "invited" && awaitedUntil(reached?.attempts ?? []) >= today));

const leavesOneSide = ({ status, parties }: Case, { partyId }: Party, to: PartyStatus | ""): boolean =>
  status === "in_mediation" &&
  to !== "" &&
  LEFT_PARTY_STATUSES.includes(to) &&
  sidesInMediation(parties.filter((party) => party.partyId !== partyId)) < 2;

/** The next step of one party, or that nothing leads on. */
export function StepForm({ onCorrect, ...props }: Props & { onCorrect: () => void }) {
  const today = useToday();
  const { region } = useCurrentUser();
  const form = useStep(props, today);
  const theCase = form.opened;
  const party = theCase.parties.find(({ partyId }) => partyId === props.party.partyId) ?? props.party;
  const { to } = form.values;
  const next = partyWays(theCase.domain, party);
  const place = { ...theCase, region };
  const standing = partyStandingName(place, party);
  const nameOf = (status: PartyStatus) => partyStatusName(place, status);
  const back = party.lastStep && (
    <Button variant="default" onClick={onCorrect}>
      Take the last step back
    </Button>
  );
  if (next.length === 0)
    return (
      <Section title={`Now: ${standing}`} order={3}>
        <Group justify="space-between" pt="sm">
          <p>Nothing leads on from there.</p>
          {back}
        </Group>
      </Section>
    );
  return (
    <Section title={`Now: ${standing}`} order={3}>
      <OpenedForm form={form} what="case" label="Next step">
        <Stack gap="md" pt="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <NextStep form={form} next={next} nameOf={nameOf} />
            <TextInput
              label="On"
              type="date"
              min={earliestDay(theCase, party, props.reached?.attempts ?? [], to)}
              max={today}
              {...form.field("on")}
            />
          </SimpleGrid>
          {asksConfidences(theCase, to) && <ConfidencesField domain={theCase.domain} {...form.field("confidences")} />}
          {asksWhose(to) && <WhoseDecision form={form} name={party.name} />}
          {to === "miam_booked" && <Agreed form={form} name={party.name} />}
          {asksWhy({ ...props, theCase, party }, to, today) && (
            <TextInput
              label={to === "responded" ? "How did they get in touch?" : "Why?"}
              description={`Kept by the practice and shown to ${party.name} only`}
              {...form.field("reason")}
            />
          )}
          <StepNotes theCase={theCase} party={party} to={to} />
          <Group justify="flex-end">
            {back}
            <Button type="submit" loading={form.isSaving}>
              Record this step
            </Button>
          </Group>
        </Stack>
      </OpenedForm>
    </Section>
  );
}

interface StepNotesProps {
  theCase: Case;
  party: Party;
  to: PartyStatus | "";
}

/** What the step does to the case, or what the case did to the party. */
const StepNotes = ({ theCase, party, to }: StepNotesProps) => (
  <>
    {["active", "done"].includes(party.status) && (
      <p className="quiet-text">
        {`${party.label} is there because the case was moved on. If that was a mistake, take that step of the case back.`}
      </p>
    )}
    {leavesOneSide(theCase, party, to) && (
      <p role="status">Fewer than two sides are then in mediation, so the case is paused with this step.</p>
    )}
  </>
);

function WhoseDecision({ form, name }: { form: StepFields; name: string }) {
  return (
    <Radio.Group
      label="Whose decision was it?"
      description="A certificate can say that somebody stopped only where they decided it. Whoever went quiet is “No response”."
      value={form.values.decision}
      error={form.errors["isOwnDecision"]}
      onChange={(value) => form.setFieldValue("decision", value === "own" ? "own" : "others")}
    >
      <Stack gap="xs" pt="xs">
        <Radio value="own" label={`${name} said so, or their solicitor for them`} />
        <Radio value="others" label="Somebody else said or decided it" />
      </Stack>
    </Radio.Group>
  );
}

function Agreed({ form, name }: { form: StepFields; name: string }) {
  return (
    <Radio.Group
      label={`Did ${name} agree to its day and time?`}
      description="A certificate can say that they agreed to come only where they did."
      value={form.values.agreed}
      error={form.errors["hasAgreed"]}
      onChange={(value) => form.setFieldValue("agreed", value === "yes" ? "yes" : "no")}
    >
      <Stack gap="xs" pt="xs">
        <Radio value="yes" label="Yes, they agreed to it" />
        <Radio value="no" label="No, or nobody knows yet" />
      </Stack>
    </Radio.Group>
  );
}

interface NextStepProps {
  form: StepFields;
  next: readonly PartyStatus[];
  nameOf: (status: PartyStatus) => string;
}

function NextStep({ form, next, nameOf }: NextStepProps) {
  return (
    <NativeSelect
      label="Next step"
      data={[{ value: "", label: "Choose what happened" }, ...next.map((value) => ({ value, label: nameOf(value) }))]}
      value={form.values.to}
      error={form.errors["to"]}
      onChange={(event) => form.setFieldValue("to", next.find((status) => status === event.currentTarget.value) ?? "")}
    />
  );
}
