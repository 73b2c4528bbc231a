import { LEAD_SUMMARY_MAX_LENGTH } from "@app/shared/leads";
import { LEAD_REACH_NAMES } from "@app/shared/lead-reaches";
import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { useServerForm } from "../../core/form.tsx";
import { Section } from "../../ui/section.tsx";
import { choicesOf, DOMAIN_NAMES, optionsOf, SOURCE_NAMES } from "../cases/case-words.ts";
import type { EnquiryValues } from "./lead-record.ts";
import "../../ui/form-grid.css";

type LeadForm = Pick<ReturnType<typeof useServerForm<EnquiryValues>>, "field" | "values">;

/** All that is known of somebody who asks; used to add a lead and to change one. */
export const LeadFields = ({ form }: { form: LeadForm }) => (
  <>
    <PersonFields form={form} />
    <OtherFields form={form} />
    <MatterFields form={form} />
  </>
);

const PersonFields = ({ form }: { form: LeadForm }) => (
  <div className="form-grid">
    <TextInput label="First name" autoComplete="off" data-autofocus autoFocus {...form.field("firstName")} />
    <TextInput label="Last name" autoComplete="off" {...form.field("lastName")} />
    <TextInput label="Email (optional)" type="email" autoComplete="off" {...form.field("email")} />
    <TextInput label="Phone (optional)" type="tel" autoComplete="off" {...form.field("phone")} />
    <TextInput label="Organisation (enough without a name)" autoComplete="off" {...form.field("organisation")} />
    <TextInput label="Date of birth (optional)" type="date" {...form.field("dateOfBirth")} />
    <NativeSelect
      label="How they may be reached"
      description="Ask before you write or ring"
      data={[{ value: "", label: "Nobody asked yet" }, ...optionsOf(LEAD_REACH_NAMES)]}
      {...form.field("reachBy")}
    />
    <TextInput
      label="Note on reaching them (optional)"
      description="Safe times, who else reads along"
      {...form.field("reachNote")}
    />
  </div>
);

const OtherFields = ({ form }: { form: LeadForm }) => (
  <Section title="Other person" order={3}>
    <p className="quiet-text">Looked for in the conflict check. Nobody writes to them from here.</p>
    <div className="form-grid">
      <TextInput label="First name of the other (optional)" autoComplete="off" {...form.field("other.firstName")} />
      <TextInput label="Last name of the other (optional)" autoComplete="off" {...form.field("other.lastName")} />
      <TextInput label="Email of the other (optional)" autoComplete="off" {...form.field("other.email")} />
      <TextInput label="Phone of the other (optional)" autoComplete="off" {...form.field("other.phone")} />
    </div>
  </Section>
);

const MatterFields = ({ form }: { form: LeadForm }) => (
  <Section title="What it is about" order={3}>
    <div className="form-grid">
      <NativeSelect label="Kind" data={optionsOf(DOMAIN_NAMES)} {...form.field("domain")} />
      <NativeSelect
        label="How they came"
        data={choicesOf(SOURCE_NAMES, form.values.source)}
        {...form.field("source")}
      />
      <Textarea
        className="form-grid-whole"
        label="Summary (optional)"
        autosize
        minRows={3}
        maxLength={LEAD_SUMMARY_MAX_LENGTH}
        {...form.field("summary")}
      />
      <TextInput label="Next step (optional)" placeholder="Call back" {...form.field("nextStep")} />
      <TextInput label="On (optional)" type="date" {...form.field("nextOn")} />
      <TextInput label="Campaign (optional)" {...form.field("campaign")} />
    </div>
  </Section>
);
