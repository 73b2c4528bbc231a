import { CONSENT_STATES, CONSENT_WAYS, type Inclusion } from "@app/shared/child-inclusive";
import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { statesFor, WAYS } from "./consent-choices.ts";

type Consent = Pick<Inclusion["otherParents"][number], "state" | "on" | "how">;

interface Props {
  name: string;
  consent: Consent;
  errorOf: (field: "on" | "how") => string | undefined;
  onChange: (consent: Consent) => void;
}

const NOT_ASKED: Consent = { state: "", on: "", how: "" };

/** Whether one parent consents, since when, and how they said so. */
export function ConsentFields({ name, consent, errorOf, onChange }: Props) {
  const choose = (chosen: string) => {
    const state = CONSENT_STATES.find((each) => each === chosen);
    onChange(state ? { ...consent, state } : NOT_ASKED);
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <NativeSelect
        label={`Consent of ${name}`}
        data={statesFor(consent.state)}
        value={consent.state}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {consent.state !== "" && (
        <>
          <TextInput
            label="On"
            type="date"
            value={consent.on}
            error={errorOf("on")}
            onChange={(event) => onChange({ ...consent, on: event.currentTarget.value })}
          />
          <NativeSelect
            label="How"
            data={WAYS}
            value={consent.how}
            error={errorOf("how")}
            onChange={({ currentTarget }) =>
              onChange({ ...consent, how: CONSENT_WAYS.find((each) => each === currentTarget.value) ?? "" })
            }
          />
        </>
      )}
    </SimpleGrid>
  );
}
