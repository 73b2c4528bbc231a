import { SimpleGrid, TextInput } from "@mantine/core";
import { useToday } from "../../core/today.ts";
import { FormFailure } from "../../ui/form-failure.tsx";

export interface Consent {
  partyId: string;
  on: string;
  how: string;
}

/** Nothing of it is chosen for anybody. */
export const noConsents = (parties: readonly { partyId: string }[]): Consent[] =>
  parties.map(({ partyId }) => ({ partyId, on: "", how: "" }));

export const whyNotConsented = ({ consents }: { consents: readonly Consent[] }): Record<string, string> =>
  consents.some(({ on, how }) => on === "" || how.trim() === "")
    ? { consents: "Enter when and how each of them consented" }
    : {};

interface Props {
  parties: readonly { partyId: string; name: string; label: string }[];
  form: {
    values: { consents: Consent[] };
    errors: Partial<Record<string, unknown>>;
    setFieldValue: (field: "consents", consents: Consent[]) => void;
  };
}

/** When and how each of these agreed that the others are shown what they disclosed. */
export function ConsentFields({ parties, form }: Props) {
  const today = useToday();
  const { consents } = form.values;
  const set = (partyId: string, change: Partial<Consent>) =>
    form.setFieldValue(
      "consents",
      consents.map((one) => (one.partyId === partyId ? { ...one, ...change } : one)),
    );
  const failure = form.errors["consents"];
  return (
    <>
      {parties.map(({ partyId, name, label }) => {
        const consent = consents.find((one) => one.partyId === partyId);
        return (
          <SimpleGrid key={partyId} cols={{ base: 1, sm: 2 }} spacing="lg">
            <TextInput
              label={`${name} (${label}) consented on`}
              type="date"
              max={today}
              value={consent?.on ?? ""}
              onChange={(event) => set(partyId, { on: event.currentTarget.value })}
            />
            <TextInput
              label={`How ${name} consented`}
              placeholder="In the session"
              value={consent?.how ?? ""}
              onChange={(event) => set(partyId, { how: event.currentTarget.value })}
            />
          </SimpleGrid>
        );
      })}
      {typeof failure === "string" && <FormFailure>{failure}</FormFailure>}
    </>
  );
}
