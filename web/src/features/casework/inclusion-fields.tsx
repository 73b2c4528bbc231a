import { isTakingPart } from "@app/shared/case-states";
import type { Child, Party } from "@app/shared/cases";
import {
  CONSENT_STATE_NAMES,
  CONSENT_STATES,
  CONSENT_WAY_NAMES,
  CONSENT_WAYS,
  type Inclusion,
  isOldEnough,
  VOICE_OUTCOME_NAMES,
  VOICE_OUTCOMES,
} from "@app/shared/child-inclusive";
import { Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useToday } from "../../core/today.ts";

interface Props {
  child: Child;
  parties: readonly Party[];
  /** The message of a field of it, such as `child.on`. */
  errorOf: (field: string) => string | undefined;
  onChange: (change: Partial<Inclusion>) => void;
}

const WAYS = CONSENT_WAYS.map((value) => ({ value, label: CONSENT_WAY_NAMES[value] }));
const OUTCOMES = VOICE_OUTCOMES.map((value) => ({ value, label: VOICE_OUTCOME_NAMES[value] }));
/** What is from before days were kept cannot be chosen: it is asked for anew. */
const statesFor = (state: string) =>
  CONSENT_STATES.filter((each) => each !== "undated" || each === state).map((value) => ({
    value,
    label: CONSENT_STATE_NAMES[value],
  }));

/** Whether the child itself is heard: with every parent's consent and the child's, each with its day. */
export function InclusionFields({ child, parties, errorOf, onChange }: Props) {
  const today = useToday();
  const { cim, firstName } = child;
  const hearing = `Who consents that ${firstName || "the child"} is heard`;
  const isAsked = isOldEnough(child.dateOfBirth, today) || cim.voice.outcome !== "";
  return (
    <Stack gap="sm">
      {isAsked && <VoiceFields child={child} errorOf={errorOf} onChange={onChange} />}
      <Checkbox
        label="Child-inclusive mediation offered"
        checked={cim.isOffered}
        onChange={(event) => onChange({ isOffered: event.currentTarget.checked })}
      />
      {cim.isOffered && (
        <Stack role="group" aria-label={hearing} gap="sm" className="consents">
          <strong>{hearing}</strong>
          {parties.filter(isTakingPart).map((party) => (
            <ParentFields key={party.partyId} party={party} cim={cim} errorOf={errorOf} onChange={onChange} />
          ))}
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <NativeSelect
              label={`${firstName || "The child"} (the child)`}
              data={[{ value: "", label: "Not asked yet" }, ...statesFor(cim.child.state)]}
              value={cim.child.state}
              onChange={({ currentTarget }) => {
                const state = CONSENT_STATES.find((known) => known === currentTarget.value) ?? "";
                onChange({ child: { state, on: state ? cim.child.on : "" } });
              }}
            />
            {cim.child.state !== "" && (
              <TextInput
                label="On"
                type="date"
                value={cim.child.on}
                error={errorOf("child.on")}
                onChange={({ currentTarget }) => onChange({ child: { ...cim.child, on: currentTarget.value } })}
              />
            )}
          </SimpleGrid>
        </Stack>
      )}
    </Stack>
  );
}

type ParentProps = Pick<Props, "errorOf" | "onChange"> & { party: Party; cim: Inclusion };

/** Whether one parent consents, since when, and how they said so. */
function ParentFields({ party: { partyId, name }, cim, errorOf, onChange }: ParentProps) {
  const index = cim.parents.findIndex((one) => one.partyId === partyId);
  const known = cim.parents[index];
  const others = cim.parents.filter((one) => one.partyId !== partyId);
  const set = (change: Partial<Inclusion["parents"][number]>) => {
    const before = known ?? { partyId, state: "given" as const, on: "", how: "" as const };
    const after = { ...before, ...change };
    onChange({ parents: known ? cim.parents.map((one) => (one === known ? after : one)) : [...others, after] });
  };
  const choose = (value: string) => {
    const state = CONSENT_STATES.find((each) => each === value);
    if (state) set({ state });
    else onChange({ parents: others });
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <NativeSelect
        label={name}
        data={[{ value: "", label: "Not asked yet" }, ...statesFor(known?.state ?? "")]}
        value={known?.state ?? ""}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {known && (
        <>
          <TextInput
            label="On"
            type="date"
            value={known.on}
            error={errorOf(`parents.${index}.on`)}
            onChange={(event) => set({ on: event.currentTarget.value })}
          />
          <NativeSelect
            label="How"
            data={[{ value: "", label: "Choose" }, ...WAYS]}
            value={known.how}
            error={errorOf(`parents.${index}.how`)}
            onChange={({ currentTarget }) =>
              set({ how: CONSENT_WAYS.find((each) => each === currentTarget.value) ?? "" })
            }
          />
        </>
      )}
    </SimpleGrid>
  );
}

/** From the tenth birthday on: whether the child was offered to be heard, and what came of it. */
function VoiceFields({ child: { firstName, cim }, errorOf, onChange }: Omit<Props, "parties">) {
  const { voice } = cim;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <NativeSelect
        label={`Was ${firstName || "the child"}, ten or over, offered to be heard?`}
        data={[{ value: "", label: "Not asked yet" }, ...OUTCOMES]}
        value={voice.outcome}
        onChange={({ currentTarget }) =>
          onChange({
            voice: { ...voice, outcome: VOICE_OUTCOMES.find((each) => each === currentTarget.value) ?? "" },
          })
        }
      />
      <TextInput
        label="Offered on"
        type="date"
        value={voice.offeredOn}
        error={errorOf("voice.offeredOn")}
        onChange={(event) => onChange({ voice: { ...voice, offeredOn: event.currentTarget.value } })}
      />
    </SimpleGrid>
  );
}
