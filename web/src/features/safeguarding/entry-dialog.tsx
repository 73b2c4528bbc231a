import { can } from "@app/shared/access";
import {
  CLIENT_TOLD_NAMES,
  IMMEDIACY_NAMES,
  SAFEGUARDING_KIND_NAMES,
  type SafeguardingEntry,
} from "@app/shared/safeguarding";
import { Stack, Textarea, TextInput } from "@mantine/core";
import { IconLock, IconShield } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import { VersionedForm } from "../../core/versioned-form.tsx";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Panel } from "../../ui/panel.tsx";
import { OfficerField } from "./officer-field.tsx";
import { OfficersNamed } from "./officers-named.tsx";
import { type EntryForm, type EntryProps, useEntry, waitsFor } from "./use-entry.ts";
import "./safeguarding.css";

const YES_NO = { yes: "Yes", no: "No" } as const;

/** Who is at risk, what was done about it, and who was told; or another wording of that. */
export function EntryDialog(props: EntryProps) {
  const { entry, onClose } = props;
  const form = useEntry(props);
  const waits = waitsFor(entry);
  const isDismissed = waits && form.values.isNeeded === "no";
  const action = isDismissed ? "No entry is needed" : waits ? "Complete the entry" : "Keep this wording too";
  return (
    <Dialog isOpen onClose={onClose} title={titleOf(entry)} size="form">
      <VersionedForm form={form} what="entry" label="Safeguarding entry">
        <Stack gap="lg">
          {waits && <Found entry={entry} form={form} />}
          {isDismissed ? (
            <TextInput label="Why no entry is needed" {...form.field("why")} />
          ) : (
            (!waits || form.values.isNeeded === "yes") && <EntryFields form={form} {...props} />
          )}
          <FormFoot isSaving={form.isSaving}>{entry ? action : "Keep the entry"}</FormFoot>
        </Stack>
      </VersionedForm>
    </Dialog>
  );
}

function titleOf(entry: EntryProps["entry"]): string {
  if (!entry) return "Safeguarding entry";
  return waitsFor(entry) ? "Complete the safeguarding entry" : "Amend the entry";
}

/** What opened it, and whether it is one. */
function Found({ entry, form }: { entry: SafeguardingEntry; form: EntryForm }) {
  const { personAtRisk, concern } = entry.latest;
  return (
    <>
      <Panel tone="safety" icon={<IconShield size={18} stroke={1.7} aria-hidden />} title={`About ${personAtRisk}`}>
        {concern}
      </Panel>
      <ChoiceField label="Does this need an entry?" choices={YES_NO} {...form.field("isNeeded")} />
    </>
  );
}

function EntryFields({ form, entry, caseId }: { form: EntryForm } & Pick<EntryProps, "entry" | "caseId">) {
  const isSuspicion = form.values.kind === "suspicious_activity";
  return (
    <>
      {!entry && <ChoiceField label="What is it?" choices={SAFEGUARDING_KIND_NAMES} {...form.field("kind")} isTall />}
      {isSuspicion && <Secrecy caseId={caseId} />}
      <TextInput label={isSuspicion ? "Whom it is about" : "Who is at risk"} {...form.field("personAtRisk")} />
      <Textarea
        label={isSuspicion ? "What you suspect, and why" : "The concern, in their own words where you can"}
        autosize
        minRows={3}
        {...form.field("concern")}
      />
      <ChoiceField label="How soon" choices={IMMEDIACY_NAMES} {...form.field("immediacy")} isTall />
      <WhoWasAsked form={form} hasEarlier={form.values.told.length > 0} />
      <WhatClientWasTold form={form} />
      {entry && !waitsFor(entry) && <TextInput label="Why it is amended" {...form.field("why")} />}
    </>
  );
}

function Secrecy({ caseId }: Pick<EntryProps, "caseId">) {
  const officer = api.safeguarding.officer.useQuery({ caseId });
  const isNobody = officer.data?.mayRead === false;
  return (
    <>
      <Panel
        tone="safety"
        icon={<IconLock size={18} stroke={1.7} aria-hidden />}
        title={isNobody ? "Only you can read this" : "Only you and the nominated officer can read this"}
      >
        Tell nobody else that it exists: to tell the person whom it is about can be a crime.
        {isNobody && " Your practice has no nominated officer yet who may read it and decide whether to report it."}
      </Panel>
      {isNobody ? <AskForOfficer /> : <OfficersNamed />}
    </>
  );
}

/** Whoever may choose one is asked here; everybody else is told whom to ask, and not to say why. */
function AskForOfficer() {
  if (can(useCurrentUser(), "staff.manage")) return <OfficerField />;
  return (
    <>
      <p>Ask the practice’s owner who the nominated officer is to be, and do not say why.</p>
      <OfficersNamed />
    </>
  );
}

function WhatClientWasTold({ form }: { form: EntryForm }) {
  const { told: _told, ...untold } = CLIENT_TOLD_NAMES;
  const isSuspicion = form.values.kind === "suspicious_activity";
  return (
    <>
      <ChoiceField
        label="What the client was told"
        choices={isSuspicion ? untold : CLIENT_TOLD_NAMES}
        {...form.field("clientTold")}
        isTall
      />
      <Textarea
        label={form.values.clientTold === "told" ? "In which words" : "What was said instead, and why"}
        autosize
        minRows={2}
        {...form.field("clientWords")}
      />
    </>
  );
}

/** Who looked at it, and which agency knows of it. */
function WhoWasAsked({ form, hasEarlier }: { form: EntryForm; hasEarlier: boolean }) {
  const { values, errors } = form;
  return (
    <>
      <ChoiceField
        label="Was somebody consulted?"
        choices={YES_NO}
        {...form.field("isConsulted")}
        error={errors["consulted.isConsulted"]}
      />
      {values.isConsulted === "yes" && (
        <div className="safeguarding-three">
          <TextInput label="Who" {...form.field("consulted.who")} />
          <TextInput label="On" type="date" {...form.field("consulted.on")} />
        </div>
      )}
      {values.isConsulted === "no" && <TextInput label="Why nobody was" {...form.field("consulted.whyNot")} />}
      <ChoiceField
        label={hasEarlier ? "Was another agency told since?" : "Was an agency told?"}
        choices={YES_NO}
        {...form.field("isTold")}
      />
      {values.isTold === "yes" && (
        <div className="safeguarding-three">
          <TextInput label="Agency" {...form.field("agency.agency")} error={agencyError(errors, "agency")} />
          <TextInput label="On" type="date" {...form.field("agency.on")} error={agencyError(errors, "on")} />
          <TextInput label="Reference (optional)" {...form.field("agency.reference")} />
        </div>
      )}
      {values.isTold === "no" && !hasEarlier && (
        <TextInput label="Why no agency was told" {...form.field("whyNobodyTold")} />
      )}
    </>
  );
}

/** The newest is the last of a list, whose place the messages name. */
const agencyError = (errors: Record<string, string>, field: string): string | undefined =>
  Object.entries(errors).find(([path]) => path.startsWith("told.") && path.endsWith(`.${field}`))?.[1];
