import { Checkbox, NativeSelect, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { useServerForm } from "../../core/form.tsx";
import {
  choicesOf,
  DOMAIN_NAMES,
  FORMAT_NAMES,
  ISSUE_NAMES,
  optionsOf,
  pick,
  SOURCE_NAMES,
} from "../cases/case-words.ts";
import type { CaseValues } from "./case-record.ts";
import { TeamFields } from "./team-fields.tsx";

type CaseForm = Pick<ReturnType<typeof useServerForm<CaseValues>>, "field" | "values"> &
  Parameters<typeof TeamFields>[0]["form"];

const SAFEGUARDING_NAMES = {
  not_assessed: "Not assessed yet",
  none: "No concern",
  noted: "Noted",
  high: "High",
} as const;

/** Only families have children to speak of; what was chosen before stays a choice. */
export const issuesOf = ({ domain, issueScope }: Pick<CaseValues, "domain" | "issueScope">) =>
  choicesOf(ISSUE_NAMES, issueScope).filter(
    ({ value }) => value !== "child_only" || domain === "family" || issueScope === value,
  );

/** What is known of a case, beside its parties. */
export function CaseFieldset({ form, mayChooseTeam }: { form: CaseForm; mayChooseTeam: boolean }) {
  const { values, setFieldValue } = form;
  return (
    <>
      <Textarea label="Matter" description="One line for lists" autosize minRows={1} {...form.field("matter")} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <NativeSelect
          label="Kind"
          data={optionsOf(DOMAIN_NAMES)}
          value={values.domain}
          onChange={(event) => setFieldValue("domain", pick(DOMAIN_NAMES, event.currentTarget.value))}
        />
        <NativeSelect label="Issues" data={issuesOf(values)} {...form.field("issueScope")} />
        <NativeSelect label="Format" data={choicesOf(FORMAT_NAMES, values.format)} {...form.field("format")} />
        <NativeSelect
          label="How they came"
          data={choicesOf(SOURCE_NAMES, values.referral.source)}
          {...form.field("referral.source")}
        />
        <TeamFields form={form} isDisabled={!mayChooseTeam} />
        <TextInput label="Started on (optional)" type="date" {...form.field("startedOn")} />
        <TextInput label="Next review (optional)" type="date" {...form.field("nextReviewOn")} />
        <NativeSelect
          label="Safeguarding"
          data={optionsOf(SAFEGUARDING_NAMES)}
          value={values.flags.safeguarding}
          onChange={(event) =>
            setFieldValue("flags", {
              ...values.flags,
              safeguarding: pick(SAFEGUARDING_NAMES, event.currentTarget.value),
            })
          }
        />
      </SimpleGrid>
      <Checkbox
        label="The parties must not meet"
        checked={values.flags.mustNotMeet}
        onChange={(event) => setFieldValue("flags", { ...values.flags, mustNotMeet: event.currentTarget.checked })}
      />
      <Checkbox
        label="Urgent"
        checked={values.flags.isUrgent}
        onChange={(event) => setFieldValue("flags", { ...values.flags, isUrgent: event.currentTarget.checked })}
      />
    </>
  );
}
