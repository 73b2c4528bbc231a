import type { Field } from "@app/shared/form-fields";
import { SENSITIVITIES, SENSITIVITY_NAMES } from "@app/shared/form-limits";
import { ANSWER_TARGETS, fitsTarget, TARGETS } from "@app/shared/form-targets";
import { NativeSelect } from "@mantine/core";
import { useBuilderContext } from "./builder-context.ts";

export interface ChangeProps<One extends Field = Field> {
  field: One;
  change: (how: (one: Field) => Field, about: string | null) => void;
}

/** Who of the practice reads the answer, and what of the client it proposes to change. */
export function ReaderFields({ field, change }: ChangeProps<Extract<Field, { sensitivity: unknown }>>) {
  const {
    form,
    selection,
    content: { readers },
  } = useBuilderContext();
  const targets = ANSWER_TARGETS.filter(
    (target) => fitsTarget(target, field.type) && target.startsWith("lead.") === (form.kind === "lead"),
  );
  const mapTo = "mapTo" in field ? field.mapTo : null;
  const isOffered = mapTo === null || targets.includes(mapTo);
  return (
    <>
      {selection.innerId === null && (
        <NativeSelect
          label="Who may read the answer"
          description="No other party ever reads it"
          data={[
            { value: "", label: readers ? `As the form says: ${SENSITIVITY_NAMES[readers]}` : "Choose" },
            ...SENSITIVITIES.map((value) => ({ value, label: SENSITIVITY_NAMES[value] })),
          ]}
          value={field.sensitivity ?? ""}
          onChange={({ currentTarget: { value } }) => {
            const sensitivity = SENSITIVITIES.find((one) => one === value) ?? null;
            change((one) => ("sensitivity" in one ? { ...one, sensitivity } : one), null);
          }}
        />
      )}
      {"mapTo" in field && selection.innerId === null && (targets.length > 0 || !isOffered) && (
        <NativeSelect
          label="Save the answer to"
          description="Proposed to you before anything changes"
          data={[
            { value: "", label: "Nowhere else" },
            ...(isOffered || mapTo === null ? [] : [{ value: mapTo, label: TARGETS[mapTo].name }]),
            ...targets.map((value) => ({ value, label: TARGETS[value].name })),
          ]}
          value={mapTo ?? ""}
          onChange={({ currentTarget: { value } }) => {
            const target = ANSWER_TARGETS.find((one) => one === value) ?? null;
            change((one) => ("mapTo" in one ? { ...one, mapTo: target } : one), null);
          }}
        />
      )}
    </>
  );
}
