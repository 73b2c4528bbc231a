import { isPaidFor } from "@app/shared/case-outcomes";
import { hasMiams } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { Group, NativeSelect, NumberInput, Stack, Text } from "@mantine/core";
import { useCurrentUser } from "../../core/session.ts";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { PERCENT_BP, type Shares, sharesFields, sharesOf } from "./case-record.ts";
import { FUNDING_NAMES, optionsOf, pick } from "../cases/case-words.ts";
import { useCaseChanged } from "./use-case-changes.ts";

type Funding = Party["funding"];

interface Props {
  theCase: Pick<Case, "id" | "version" | "parties" | "domain" | "issueScope">;
  onClose: () => void;
}

/** Who pays what part: the shares of all parties make the whole. */
export function FundingDialog({ theCase, onClose }: Props) {
  const { region } = useCurrentUser();
  const place = { domain: theCase.domain, region };
  const changed = useCaseChanged();
  const save = api.casework.setFunding.useMutation();
  const utils = api.useUtils();
  const labelOf = (id: string) => theCase.parties.find(({ partyId }) => partyId === id)?.label ?? "New party";
  const stored = sharesOf(theCase);
  const form = useVersionedForm<Shares>({
    fields: sharesFields(labelOf),
    stored,
    read: async () => sharesOf(await utils.cases.get.fetch({ id: theCase.id }, { staleTime: 0 })),
    async send({ parties }, version) {
      const saved = await save.mutateAsync({ id: theCase.id, version, parties });
      await changed();
      notify("Funding saved");
      onClose();
      return sharesOf(saved);
    },
  });
  const { parties } = form.values;
  const sum = parties.reduce((total, { funding }) => total + funding.shareBp, 0) / PERCENT_BP;
  const set = (index: number, funding: Partial<Funding>) =>
    form.setFieldValue(
      "parties",
      parties.map((party, at) => (at === index ? { ...party, funding: { ...party.funding, ...funding } } : party)),
    );
  return (
    <Dialog isOpen onClose={onClose} title="Funding" size="form">
      <VersionedForm form={form} what="funding" label="Funding">
        <Stack gap="lg">
          {theCase.parties.map((party, index) => (
            <PartyFunding
              key={party.partyId}
              party={party}
              funding={parties[index]?.funding ?? party.funding}
              onChange={(change) => set(index, change)}
            />
          ))}
          <Text fz={13} c={sum === 100 ? "var(--ink-2)" : "var(--danger-text)"} role="status">
            {sum === 100 ? "The shares make 100 %." : `The shares make ${sum} %, not 100 %.`}
          </Text>
          {hasMiams(place) &&
            !isPaidFor({ ...theCase, ...place }) &&
            parties.some(({ funding }) => funding.type === "legal_aid") && (
              <Text fz={13} c="var(--ink-2)" role="status">
                The Legal Aid Agency pays only for cases about children, property and finance, or both. If this is one,
                correct under “Edit” what it is about.
              </Text>
            )}
          {theCase.parties.some((party, at) => becomesAided(party.funding, parties[at]?.funding)) && (
            <Text fz={13} c="var(--ink-2)" role="status">
              What was charged before stays charged. To credit it, choose “Switch to legal aid” under Payments instead.
            </Text>
          )}
          {form.errors["parties"] && <Text c="var(--danger-text)">{form.errors["parties"]}</Text>}
          <FormFoot isSaving={form.newer.isSaving}>Save funding</FormFoot>
        </Stack>
      </VersionedForm>
    </Dialog>
  );
}

const becomesAided = (before: Funding, now: Funding | undefined): boolean =>
  before.type !== "legal_aid" && now?.type === "legal_aid";

interface PartyProps {
  party: Party;
  funding: Funding;
  onChange: (change: Partial<Funding>) => void;
}

function PartyFunding({ party, funding, onChange }: PartyProps) {
  return (
    <Group align="flex-end" gap="sm" wrap="nowrap">
      <Stack gap={6} justify="flex-end" pb={6}>
        <PartyMarker label={party.label} isLarge />
      </Stack>
      <NativeSelect
        label={`Funding of ${party.name}`}
        data={optionsOf(FUNDING_NAMES)}
        value={funding.type}
        onChange={(event) => onChange({ type: pick(FUNDING_NAMES, event.currentTarget.value) })}
        style={{ flex: 1 }}
      />
      <NumberInput
        label="Share, %"
        min={0}
        max={100}
        decimalScale={2}
        w={110}
        value={funding.shareBp / PERCENT_BP}
        onChange={(value) => onChange({ shareBp: Math.round(Number(value) * PERCENT_BP) || 0 })}
      />
    </Group>
  );
}
