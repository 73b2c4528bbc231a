import type { Case, Party } from "@app/shared/cases";
import { firstSide, type InvitationGap } from "@app/shared/contact-agreements";
import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { isInvitable, isToBeReminded } from "@app/shared/invitable";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { goToSection, Section } from "../../ui/section.tsx";
import { ContactAgreementForm } from "./contact-agreement-form.tsx";
import { CorrectDayDialog, correctableDays } from "./correct-day-dialog.tsx";
import { CorrectStepDialog } from "./correct-step-dialog.tsx";
import { type Details, DETAILS_FIELDS, detailsOf } from "./case-record.ts";
import { later } from "../../ui/later.tsx";
import { optionsOf, pick, ROLE_NAMES } from "../cases/case-words.ts";
import type { Reached } from "./invitation-words.ts";
import { InvitationsSection, type Wording } from "./invitations-section.tsx";
import { CONFLICTS_PLACE } from "../conflicts/conflict-section.tsx";
import { SCREENINGS_PLACE } from "../screenings/screening-section.tsx";
import { StepForm } from "./party-step.tsx";
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
  const today = useToday();
  const [instead, setInstead] = useState<"step" | "day" | "out" | null>(null);
  const [invitation, setInvitation] = useState<Wording | null>(null);
  const lead = ({ kind, partyId }: InvitationGap) => {
    if (kind === "step" || kind === "agreement") return onOpen(partyId);
    onClose();
    goToSection(kind === "conflict" ? CONFLICTS_PLACE : SCREENINGS_PLACE);
  };
  if (invitation)
    return <ComposeDialog start={{ clientId: party.clientId, caseId: theCase.id, invitation }} onClose={onClose} />;
  if (instead === "step") return <CorrectStepDialog theCase={theCase} party={party} onClose={onClose} />;
  if (instead === "day") return <CorrectDayDialog theCase={theCase} party={party} onClose={onClose} />;
  if (instead === "out") return <TakeOutDialog theCase={theCase} party={party} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={`${party.label}: ${party.name}`} size="form">
      <Stack gap="lg">
        <StepForm
          theCase={theCase}
          party={party}
          reached={reached}
          onClose={onClose}
          onCorrect={() => setInstead("step")}
        />
        {reached && (isToBeReminded(party) || isInvitable(party, theCase, today)) && (
          <InvitationsSection theCase={theCase} party={party} reached={reached} onWrite={setInvitation} onLead={lead} />
        )}
        {party.status !== "died" && firstSide(theCase.domain, theCase.parties).includes(party) && (
          <ContactAgreementForm key={JSON.stringify(party.contactAgreement)} theCase={theCase} party={party} />
        )}
        <DetailsForm theCase={theCase} party={party} onClose={onClose} />
        {correctableDays(party).length > 0 && (
          <Group justify="space-between">
            <p className="quiet-text">Was a day noted wrong?</p>
            <Button variant="default" onClick={() => setInstead("day")}>
              Correct a day
            </Button>
          </Group>
        )}
        {mayBeTakenOut(theCase, party) && (
          <Group justify="space-between">
            <p className="quiet-text">Added by mistake?</p>
            <Button variant="default" onClick={() => setInstead("out")}>
              Take out of the case
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
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
  // What they did not say while they lived is not asked for.
  const asksConsent = party.status !== "died" || stored.values.consentedOn !== "";
  const title = asksConsent ? "Consent, role and side" : "Role and side";
  return (
    <Section title={title} order={3}>
      <VersionedForm form={form} what="party" label={title}>
        <Stack gap="md" pt="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            {asksConsent && (
              <TextInput
                label="Consented to mediation on"
                description="Empty where consent is not given yet"
                type="date"
                max={today}
                {...form.field("consentedOn")}
              />
            )}
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
