import type { Child, Party } from "@app/shared/cases";
import {
  CONSENT_STATES,
  type Inclusion,
  isHeardYoung,
  isKeptUnheard,
  isOldEnough,
  OVERRIDE_REASON_MAX_LENGTH,
  VOICE_OUTCOME_NAMES,
  VOICE_OUTCOMES,
} from "@app/shared/child-inclusive";
import { Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useToday } from "../../core/today.ts";
import { statesFor } from "./consent-choices.ts";
import { OtherParentFields } from "./other-parent-fields.tsx";
import { ParentFields } from "./parent-fields.tsx";

interface Props {
  child: Child;
  parties: readonly Party[];
  /** The message of a field of it, such as `child.on`. */
  errorOf: (field: string) => string | undefined;
  onChange: (change: Partial<Inclusion>) => void;
}

const OUTCOMES = VOICE_OUTCOMES.map((value) => ({ value, label: VOICE_OUTCOME_NAMES[value] }));
/** Whether the child itself is heard: with the consent of each person with parental responsibility and the child's, each with its day. */
export function InclusionFields({ child, parties, errorOf, onChange }: Props) {
  const today = useToday();
  const { cim, firstName } = child;
  const hearing = `Who consents that ${firstName || "the child"} is heard`;
  const isTen = isOldEnough(child.dateOfBirth, today);
  // Whoever is younger may be ten when they are met, or say that they do not want to be heard.
  const isAsked = isTen || cim.isOffered || cim.voice.outcome !== "";
  return (
    <Stack gap="sm">
      {isAsked && <VoiceFields child={child} isTen={isTen} errorOf={errorOf} onChange={onChange} />}
      {isKeptUnheard(cim) && (
        <ReasonField label={`Why is ${firstName || "the child"} not heard?`} {...{ cim, errorOf, onChange }} />
      )}
      <Checkbox
        label="Child-inclusive mediation offered"
        checked={cim.isOffered}
        onChange={(event) => onChange({ isOffered: event.currentTarget.checked })}
      />
      {isHeardYoung(child, today) && (
        <ReasonField
          label={`Why is ${firstName || "the child"} heard, who is under ten?`}
          description="Asked for before a meeting with the child is booked."
          {...{ cim, errorOf, onChange }}
        />
      )}
      {cim.isOffered && (
        <Stack role="group" aria-label={hearing} gap="sm" className="consents">
          <strong>{hearing}</strong>
          {parties.map((party) => (
            <ParentFields key={party.partyId} child={child} party={party} errorOf={errorOf} onChange={onChange} />
          ))}
          <OtherParentFields cim={cim} errorOf={errorOf} onChange={onChange} />
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <NativeSelect
              label={`${firstName || "The child"} (the child)`}
              data={statesFor(cim.child.state)}
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

interface ReasonProps extends Pick<Props, "errorOf" | "onChange"> {
  label: string;
  description?: string;
  cim: Inclusion;
}

function ReasonField({ label, description, cim, errorOf, onChange }: ReasonProps) {
  return (
    <TextInput
      label={label}
      description={description}
      maxLength={OVERRIDE_REASON_MAX_LENGTH}
      value={cim.overrideReason}
      error={errorOf("overrideReason")}
      onChange={(event) => onChange({ overrideReason: event.currentTarget.value })}
    />
  );
}

/** Whether the child was offered to be heard, and what came of it: asked from the tenth birthday on. */
function VoiceFields({
  child: { firstName, cim },
  isTen,
  errorOf,
  onChange,
}: Omit<Props, "parties"> & { isTen: boolean }) {
  const { voice } = cim;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <NativeSelect
        label={`Was ${firstName || "the child"}${isTen ? ", ten or over," : ""} offered to be heard?`}
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
