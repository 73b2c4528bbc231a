import type { Register } from "@app/shared/auth";
import { MEDIATOR_TYPES, REGIONS } from "@app/shared/regions";
import { Button } from "@mantine/core";
import { Facts } from "../../ui/facts.tsx";
import { RegionFacts } from "./practice-fields.tsx";

interface Props {
  values: Register;
  /** Goes back to a step. */
  onChange: (step: number) => void;
}

/** Everything that was answered, before it is saved. */
export function FirstRunCheck({ values, onChange }: Props) {
  return (
    <>
      <div className="first-run-check">
        <Facts
          facts={[
            { label: "Owner", value: `${values.firstName} ${values.lastName}` },
            { label: "Email address", value: values.email },
          ]}
        />
        <Button variant="default" onClick={() => onChange(0)}>
          Change account
        </Button>
      </div>
      <div className="first-run-check">
        <Facts
          facts={[
            { label: "Practice", value: values.practiceName },
            { label: "Mediates in", value: REGIONS[values.region].label },
            { label: "Mediates", value: MEDIATOR_TYPES[values.mediatorType] },
          ]}
        />
        <Button variant="default" onClick={() => onChange(1)}>
          Change practice
        </Button>
        <RegionFacts region={values.region} />
      </div>
    </>
  );
}
