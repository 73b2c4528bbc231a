import { hasAnswered, isTakingPart, sideOf } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import type { ContactAgreement } from "@app/shared/contact-agreements";
import { Button, Group, Radio, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useToday } from "../../core/today.ts";
import { Section } from "../../ui/section.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  party: Party;
}

type Choice = "yes" | "no" | "";

interface Values {
  agreed: Choice;
  named: Choice;
  on: string;
}

const choiceOf = (value: string): Choice => (value === "yes" || value === "no" ? value : "");

/** Whether whoever came first agrees that the others are contacted, and that they learn who asks. */
export function ContactAgreementForm({ theCase, party }: Props) {
  const today = useToday();
  const form = useAgreement({ theCase, party }, today);
  const { agreed, named } = form.values;
  return (
    <Section title="Contacting the others" order={3}>
      <OpenedForm form={form} what="case" label="Contacting the others">
        <Stack gap="md" pt="sm">
          <AgreementNow said={party.contactAgreement} isAnyAwaited={isAnyAwaited(theCase, party)} />
          <Radio.Group
            label={`Does ${party.name} agree that the others are contacted?`}
            value={agreed}
            error={form.errors["agreed"]}
            onChange={(value) => form.setFieldValue("agreed", choiceOf(value))}
          >
            <Group gap="lg" pt="xs">
              <Radio value="yes" label="Yes" />
              <Radio value="no" label="No" />
            </Group>
          </Radio.Group>
          {agreed === "yes" && (
            <Radio.Group
              label={`May the others be told that ${party.name} asks?`}
              value={named}
              error={form.errors["named"] ?? form.errors["isNamed"]}
              onChange={(value) => form.setFieldValue("named", choiceOf(value))}
            >
              <Group gap="lg" pt="xs">
                <Radio value="yes" label="Yes, by name" />
                <Radio value="no" label="No, without a name" />
              </Group>
            </Radio.Group>
          )}
          <TextInput label="Said on" type="date" max={today} maw={320} {...form.field("on")} />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={form.isSaving}>
              Record what they said
            </Button>
          </Group>
        </Stack>
      </OpenedForm>
    </Section>
  );
}

/** Whether somebody of another side has not answered yet. */
const isAnyAwaited = ({ parties }: Case, party: Party): boolean =>
  parties.some((other) => sideOf(other) !== sideOf(party) && isTakingPart(other) && !hasAnswered(other));

function AgreementNow({ said, isAnyAwaited }: { said: ContactAgreement | null; isAnyAwaited: boolean }) {
  const formats = useFormats();
  if (!said)
    return (
      <p className="attempt-note">
        {isAnyAwaited
          ? "Nobody is invited before this is recorded."
          : "The others have answered. Record what was said all the same: certificates go by it."}
      </p>
    );
  const named = said.isNamed ? "by name" : "without a name";
  const what = said.isAgreed ? `They agreed, ${named}` : "They did not agree";
  return <p className="attempt-note">{`${what}, on ${formats.calendarDay(said.on)}. Recorded by ${said.byName}.`}</p>;
}

function useAgreement({ theCase, party }: Props, today: string) {
  const changed = useCaseChanged();
  const record = api.casework.recordContactAgreement.useMutation();
  return useOpenedForm<Case, Values>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { agreed: "", named: "", on: today },
    validate: ({ agreed, named }): Record<string, string> => ({
      ...(agreed === "" ? { agreed: "Choose what they said" } : {}),
      ...(agreed === "yes" && named === "" ? { named: "Choose what they said" } : {}),
    }),
    submit: async ({ agreed, named, on }, { id, version }) => {
      const isAgreed = agreed === "yes";
      const said = { isAgreed, isNamed: isAgreed && named === "yes", on };
      await record.mutateAsync({ id, version, partyId: party.partyId, ...said });
      await changed();
      notify(`What ${party.label} said is recorded`);
    },
  });
}
