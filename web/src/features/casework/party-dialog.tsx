import {
  isReasoned,
  isUnheardOf,
  LEFT_PARTY_STATUSES,
  partyStandingName,
  type PartyStatus,
  partyStatusName,
  sidesInMediation,
} from "@app/shared/case-states";
import { partyWays } from "@app/shared/case-transitions";
import type { Case, Party } from "@app/shared/cases";
import { cameUnasked, firstSide, type InvitationGap } from "@app/shared/contact-agreements";
import type { Confidences } from "@app/shared/confidences";
import { Button, Group, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { awaitedUntil, isInvitable } from "@app/shared/ladders";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useToday } from "../../core/today.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { goToSection, Section } from "../../ui/section.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { ContactAgreementForm } from "./contact-agreement-form.tsx";
import { ConfidencesField } from "./confidences-field.tsx";
import { CorrectStepDialog } from "./correct-step-dialog.tsx";
import { type Details, DETAILS_FIELDS, detailsOf } from "./case-record.ts";
import { later } from "../../ui/later.tsx";
import { optionsOf, pick, ROLE_NAMES } from "../cases/case-words.ts";
import type { Reached } from "./invitation-words.ts";
import { InvitationsSection, type Wording } from "./invitations-section.tsx";
import { CONFLICTS_PLACE } from "../conflicts/conflict-section.tsx";
import { SCREENINGS_PLACE } from "../screenings/screening-section.tsx";
import { earliestDay } from "./earliest-day.ts";
import { SideField } from "./side-field.tsx";
import { mayBeTakenOut, TakeOutDialog } from "./take-out-dialog.tsx";
import { useCaseChanged } from "./use-case-changes.ts";
import { useState } from "react";

const ComposeDialog = later(async () => (await import("../compose/compose-dialog.tsx")).ComposeDialog);

interface Props {
  theCase: Case;
  party: Party;
  onClose: () => void;
}

interface DialogProps extends Props {
  /** Null while it is being read. */
  reached: Reached | null;
  onOpen: (partyId: string) => void;
}

/** What happened with one party: the next step, invitations, consent. */
export function PartyDialog({ theCase, party, reached, onOpen, onClose }: DialogProps) {
  const [isCorrecting, setIsCorrecting] = useState(false);
  const [isTakingOut, setIsTakingOut] = useState(false);
  const [invitation, setInvitation] = useState<Wording | null>(null);
  const lead = ({ kind, partyId }: InvitationGap) => {
    if (kind === "step" || kind === "agreement") return onOpen(partyId);
    onClose();
    goToSection(kind === "conflict" ? CONFLICTS_PLACE : SCREENINGS_PLACE);
  };
  if (invitation)
    return <ComposeDialog start={{ clientId: party.clientId, caseId: theCase.id, invitation }} onClose={onClose} />;
  if (isCorrecting) return <CorrectStepDialog theCase={theCase} party={party} onClose={onClose} />;
  if (isTakingOut) return <TakeOutDialog theCase={theCase} party={party} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={`${party.label}: ${party.name}`} size="form">
      <Stack gap="lg">
        <StepForm
          theCase={theCase}
          party={party}
          reached={reached}
          onClose={onClose}
          onCorrect={() => setIsCorrecting(true)}
        />
        {reached && isInvitable(party) && (
          <InvitationsSection theCase={theCase} party={party} reached={reached} onWrite={setInvitation} onLead={lead} />
        )}
        {firstSide(theCase.domain, theCase.parties).includes(party) && (
          <ContactAgreementForm key={JSON.stringify(party.contactAgreement)} theCase={theCase} party={party} />
        )}
        <DetailsForm theCase={theCase} party={party} onClose={onClose} />
        {mayBeTakenOut(theCase, party) && (
          <Group justify="space-between">
            <p className="quiet-text">Added by mistake?</p>
            <Button variant="default" onClick={() => setIsTakingOut(true)}>
              Take out of the case
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}

interface StepValues {
  to: PartyStatus | "";
  on: string;
  reason: string;
  confidences: Confidences | "";
  decision: "own" | "others" | "";
}

/** Records the step; whoever signs first says what the agreement says. */
function useStep({ theCase, party, onClose }: Props, today: string) {
  const changed = useCaseChanged();
  const { region } = useCurrentUser();
  const move = api.casework.moveParty.useMutation();
  return useOpenedForm<Case, StepValues>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { to: "", on: today, reason: "", confidences: "", decision: "" },
    validate: ({ to, confidences, decision }): Record<string, string> => ({
      ...(to === "" ? { to: "Choose what happened" } : {}),
      ...(asksConfidences(theCase, to) && confidences === ""
        ? { confidences: "Choose what the agreement says of confidences" }
        : {}),
      ...(asksWhose(party, to) && decision === "" ? { isOwnDecision: "Choose whose decision it was" } : {}),
    }),
    submit: async ({ to, on, reason, decision, ...agreed }, opened) => {
      if (to === "") return;
      const { id, version } = opened;
      const confidences = asksConfidences(opened, to) ? agreed.confidences || null : null;
      const isOwnDecision = asksWhose(party, to) ? decision === "own" : null;
      await move.mutateAsync({ id, version, partyId: party.partyId, to, on, reason, confidences, isOwnDecision });
      await changed();
      notify(`${party.label}: ${partyStatusName({ ...theCase, region }, to)}`);
      onClose();
    },
  });
}

/** Whether somebody else may have said it for them. */
const asksWhose = ({ status }: Party, to: PartyStatus | ""): boolean =>
  to === "withdrawn" || (to !== "" && isUnheardOf(status, to));

const asksConfidences = ({ confidences }: Case, to: PartyStatus | ""): boolean =>
  to === "agreement_signed" && confidences === null;

/** Whether this step says why: also that nobody answered, while they still may, or how somebody came whom nobody was to ask. */
const asksWhy = (
  { theCase, party, reached }: Pick<DialogProps, "theCase" | "party" | "reached">,
  to: PartyStatus | "",
  today: string,
): boolean =>
  to !== "" &&
  (isReasoned(party.status, to) ||
    cameUnasked(theCase, party, to) ||
    (to === "no_response" && party.status === "invited" && awaitedUntil(reached?.attempts ?? []) >= today));

const leavesOneSide = ({ status, parties }: Case, { partyId }: Party, to: PartyStatus | ""): boolean =>
  status === "in_mediation" &&
  to !== "" &&
  LEFT_PARTY_STATUSES.includes(to) &&
  sidesInMediation(parties.filter((party) => party.partyId !== partyId)) < 2;

function StepForm({ onCorrect, ...props }: Omit<DialogProps, "onOpen"> & { onCorrect: () => void }) {
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
            <NativeSelect
              label="Next step"
              data={[
                { value: "", label: "Choose what happened" },
                ...next.map((value) => ({ value, label: nameOf(value) })),
              ]}
              value={to}
              error={form.errors["to"]}
              onChange={(event) =>
                form.setFieldValue("to", next.find((status) => status === event.currentTarget.value) ?? "")
              }
            />
            <TextInput
              label="On"
              type="date"
              min={earliestDay(theCase, party, props.reached?.attempts ?? [], to)}
              max={today}
              {...form.field("on")}
            />
          </SimpleGrid>
          {asksConfidences(theCase, to) && <ConfidencesField domain={theCase.domain} {...form.field("confidences")} />}
          {asksWhose(party, to) && (
            <Radio.Group
              label="Whose decision was it?"
              description="A certificate can say that somebody stopped only where they decided it. Whoever went quiet is “No response”."
              value={form.values.decision}
              error={form.errors["isOwnDecision"]}
              onChange={(value) => form.setFieldValue("decision", value === "own" ? "own" : "others")}
            >
              <Stack gap="xs" pt="xs">
                <Radio value="own" label={`${party.name} said so`} />
                <Radio value="others" label="Somebody else decided it" />
              </Stack>
            </Radio.Group>
          )}
          {asksWhy({ ...props, theCase, party }, to, today) && (
            <TextInput
              label={to === "responded" ? "How did they get in touch?" : "Why?"}
              description={`Kept by the practice and shown to ${party.name} only`}
              {...form.field("reason")}
            />
          )}
          {["active", "done"].includes(party.status) && (
            <p className="quiet-text">
              {`${party.label} stands there because the case was moved on. If that was wrong, take the step of the case back instead.`}
            </p>
          )}
          {leavesOneSide(theCase, party, to) && (
            <p role="status">Fewer than two sides are then in mediation, so the case is paused with this step.</p>
          )}
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

function DetailsForm({ theCase, party, onClose }: Props) {
  const today = useToday();
  const changed = useCaseChanged();
  const utils = api.useUtils();
  const update = api.casework.updateParty.useMutation();
  const stored = detailsOf(theCase, party);
  const form = useVersionedForm<Details>({
    fields: DETAILS_FIELDS,
    stored,
    read: async () => detailsOf(await utils.cases.get.fetch({ id: theCase.id }, { staleTime: 0 }), party),
    async send(values, version) {
      const saved = await update.mutateAsync({ ...values, id: theCase.id, version, partyId: party.partyId });
      await changed();
      notify(`${party.label} is saved`);
      onClose();
      return detailsOf(saved, party);
    },
  });
  return (
    <Section title="Consent, role and side" order={3}>
      <VersionedForm form={form} what="party" label="Consent, role and side">
        <Stack gap="md" pt="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <TextInput
              label="Consented to mediation on"
              description="Empty where consent is not given yet"
              type="date"
              max={today}
              {...form.field("consentedOn")}
            />
            <NativeSelect
              label="Role"
              data={optionsOf(ROLE_NAMES)}
              value={form.values.role}
              onChange={(event) => form.setFieldValue("role", pick(ROLE_NAMES, event.currentTarget.value))}
            />
            <SideField theCase={theCase} {...form.field("side")} />
          </SimpleGrid>
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={form.newer.isSaving} disabled={!form.newer.isDirty}>
              Save
            </Button>
          </Group>
        </Stack>
      </VersionedForm>
    </Section>
  );
}
