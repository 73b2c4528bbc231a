import type { Child, Party } from "@app/shared/cases";
import type { Inclusion } from "@app/shared/child-inclusive";
import { Stack } from "@mantine/core";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { ConsentFields } from "./consent-fields.tsx";

interface Props {
  child: Child;
  party: Pick<Party, "partyId" | "name">;
  /** The message of a field of it, such as `parents.0.on`. */
  errorOf: (field: string) => string | undefined;
  onChange: (change: Partial<Inclusion>) => void;
}

const YES_NO = { yes: "Yes", no: "No" } as const;
const NOT_ASKED = { state: "", on: "", how: "" } as const;

/** Whether a party has parental responsibility for this child, and if so whether they consent. */
export function ParentFields({ child: { firstName, cim }, party: { partyId, name }, errorOf, onChange }: Props) {
  const known = cim.responsibility.find((one) => one.partyId === partyId);
  const index = cim.parents.findIndex((one) => one.partyId === partyId);
  const said = known ? (known.isHeld ? "yes" : "no") : "";
  const answer = (chosen: string) => {
    const others = cim.responsibility.filter((one) => one.partyId !== partyId);
    onChange({ responsibility: [...others, { partyId, isHeld: chosen === "yes" }] });
  };
  return (
    <Stack gap="xs">
      <ChoiceField
        label={`Does ${name} have parental responsibility for ${firstName || "the child"}?`}
        choices={YES_NO}
        value={said}
        error={undefined}
        onChange={answer}
      />
      {said === "yes" && (
        <ConsentFields
          name={name}
          consent={cim.parents[index] ?? NOT_ASKED}
          errorOf={(field) => errorOf(`parents.${index}.${field}`)}
          onChange={(consent) => onChange({ parents: withConsent(cim.parents, partyId, consent) })}
        />
      )}
    </Stack>
  );
}

type Consent = Pick<Inclusion["otherParents"][number], "state" | "on" | "how">;

/** At the place where it stood, so that messages stay beside their fields; without it where nobody was asked. */
function withConsent(parents: Inclusion["parents"], partyId: string, { state, on, how }: Consent) {
  if (state === "") return parents.filter((one) => one.partyId !== partyId);
  const consent = { partyId, state, on, how };
  const isKnown = parents.some((one) => one.partyId === partyId);
  return isKnown ? parents.map((one) => (one.partyId === partyId ? consent : one)) : [...parents, consent];
}
