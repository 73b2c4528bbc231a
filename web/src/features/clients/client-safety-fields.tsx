import { Checkbox, Textarea, TextInput } from "@mantine/core";
import type { ClientForm } from "./client-fields.tsx";

export const CHANNELS = [
  ["mayPhone", "Phone"],
  ["mayLeaveVoicemail", "Leave voicemail"],
  ["mayText", "Text message"],
  ["mayEmail", "Email"],
  ["mayPost", "Post"],
] as const;

/** How this person may be reached without putting them at risk: asked at the start, obeyed by everything that goes out. */
export function ClientSafetyFields({ form }: { form: ClientForm }) {
  return (
    <div className="form-grid">
      <Checkbox.Group className="form-grid-whole" label="We may reach them by" {...channelsOf(form)}>
        <div className="client-form-channels">
          {CHANNELS.map(([channel, label]) => (
            <Checkbox key={channel} value={channel} label={label} />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        label="Safe times (optional)"
        description="Such as weekdays 09:30 to 14:30"
        {...form.field("safeContact.safeTimes")}
      />
      <TextInput
        label="Code word (optional)"
        description="Said first, so that they know it is us"
        autoComplete="off"
        {...form.field("safeContact.codeWord")}
      />
      <Textarea
        className="form-grid-whole"
        label="What else to know before contact (optional)"
        autosize
        minRows={2}
        {...form.field("safeContact.note")}
      />
    </div>
  );
}

function channelsOf(form: ClientForm) {
  const { safeContact } = form.values;
  return {
    value: CHANNELS.map(([channel]) => channel).filter((channel) => safeContact[channel]),
    onChange: (chosen: string[]) => {
      const flags = Object.fromEntries(CHANNELS.map(([channel]) => [channel, chosen.includes(channel)]));
      form.setFieldValue("safeContact", { ...safeContact, ...flags });
    },
  };
}
