import type { Register } from "@app/shared/auth";
import {
  MEDIATOR_TYPE_MISSING,
  MEDIATOR_TYPES,
  type MediatorType,
  type Region,
  REGION_MISSING,
  REGIONS,
} from "@app/shared/regions";
import { NativeSelect, TextInput } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import type { useServerForm } from "../../core/form.tsx";
import { Facts } from "../../ui/facts.tsx";

/** While it is filled in: where and what a practice mediates decides much, so nobody but its owner says it. */
export interface RegistrationValues extends Omit<Register, "region" | "mediatorType"> {
  region: Region | "";
  mediatorType: MediatorType | "";
}

export const EMPTY_REGISTRATION: RegistrationValues = {
  firstName: "",
  lastName: "",
  email: "",
  password: "",
  practiceName: "",
  region: "",
  mediatorType: "",
};

/** What is still to be chosen, at its field. */
export const unchosen = ({ region, mediatorType }: RegistrationValues): Record<string, string> => ({
  ...(region === "" ? { region: REGION_MISSING } : {}),
  ...(mediatorType === "" ? { mediatorType: MEDIATOR_TYPE_MISSING } : {}),
});

export const isChosen = (values: RegistrationValues): values is Register => Object.keys(unchosen(values)).length === 0;

export type RegistrationForm = ReturnType<typeof useServerForm<RegistrationValues>>;

const CHOOSE = { value: "", label: "Choose" };
const REGION_OPTIONS = Object.entries(REGIONS).map(([value, { label }]) => ({ value, label }));
const MEDIATOR_TYPE_OPTIONS = Object.entries(MEDIATOR_TYPES).map(([value, label]) => ({ value, label }));

const CURRENCY_NAMES = { GBP: "Pound sterling", EUR: "Euro", USD: "US dollar" } as const;

/** What a practice is, and at once what each answer decides. */
export function PracticeFields({ form }: { form: RegistrationForm }) {
  return (
    <>
      <TextInput label="Practice name" size="md" autoComplete="organization" {...form.field("practiceName")} />
      <div className="login-pair">
        <NativeSelect
          label="Where do you mediate?"
          description="Sets currency, time zone and legal aid"
          size="md"
          data={form.values.region === "" ? [CHOOSE, ...REGION_OPTIONS] : REGION_OPTIONS}
          rightSection={<IconSelector size={16} stroke={1.7} aria-hidden />}
          {...form.field("region")}
        />
        <NativeSelect
          label="What do you mediate?"
          description="Sets meeting types and templates"
          size="md"
          data={form.values.mediatorType === "" ? [CHOOSE, ...MEDIATOR_TYPE_OPTIONS] : MEDIATOR_TYPE_OPTIONS}
          rightSection={<IconSelector size={16} stroke={1.7} aria-hidden />}
          {...form.field("mediatorType")}
        />
      </div>
      {form.values.region !== "" && (
        <div className="login-rule">
          <RegionFacts region={form.values.region} />
        </div>
      )}
    </>
  );
}

export function RegionFacts({ region }: { region: Register["region"] }) {
  const { currency, timeZone, legalAid } = REGIONS[region];
  return (
    <Facts
      facts={[
        { label: "Currency", value: `${CURRENCY_NAMES[currency]} (${currency})` },
        { label: "Time zone", value: timeZone },
        { label: "Legal aid", value: legalAid },
      ]}
    />
  );
}
