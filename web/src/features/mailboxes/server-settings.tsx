import { Button, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useId } from "react";
import type { useServerForm } from "../../core/form.tsx";
import { type ConnectValues, type Side, withSecurity } from "./connect-values.ts";

type ConnectFormState = ReturnType<typeof useServerForm<ConnectValues>>;

interface Props {
  form: ConnectFormState;
  isOpen: boolean;
  onToggle: () => void;
}

/** For those who know, or were told: where mail is read and sent. */
export function ServerSettings({ form, isOpen, onToggle }: Props) {
  const id = useId();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        size="xs"
        px={4}
        aria-expanded={isOpen}
        aria-controls={id}
        leftSection={<Chevron size={14} stroke={1.7} aria-hidden />}
        onClick={onToggle}
      >
        Server settings
      </Button>
      <div id={id} hidden={!isOpen}>
        <Stack gap="lg" pt="sm">
          <ServerFields form={form} side="imap" title="Reading mail" hint="The server that keeps the mail (IMAP)" />
          <ServerFields
            form={form}
            side="smtp"
            title="Sending mail"
            hint="The server that takes mail to be sent (SMTP)"
          />
          <Textarea
            label="Certificate of an authority of your own (optional)"
            description="Only for a mail server of your own whose certificate no browser knows: the text from -----BEGIN CERTIFICATE----- to its end"
            autosize
            minRows={2}
            maxRows={6}
            spellCheck={false}
            {...form.field("ca")}
          />
        </Stack>
      </div>
    </div>
  );
}

interface FieldsProps {
  form: ConnectFormState;
  side: Side;
  title: string;
  hint: string;
}

function ServerFields({ form, side, title, hint }: FieldsProps) {
  const { servers } = form.values;
  const server = servers[side];
  const setSecure = (secure: boolean) =>
    form.setFieldValue("servers", { ...servers, [side]: withSecurity(side, server, secure) });
  return (
    <fieldset className="server-fields">
      <legend>{title}</legend>
      <p className="quiet-text">{hint}</p>
      <div className="server-fields-row">
        <TextInput label="Server" spellCheck={false} autoCapitalize="none" {...form.field(`servers.${side}.host`)} />
        <TextInput label="Port" inputMode="numeric" {...form.field(`servers.${side}.port`)} />
      </div>
      <NativeSelect
        label="Encryption"
        value={server.secure ? "start" : "later"}
        onChange={(event) => setSecure(event.currentTarget.value === "start")}
        error={form.errors[`servers.${side}.secure`]}
        data={[
          { value: "start", label: "Encrypted from the start" },
          { value: "later", label: "Encrypted after the greeting" },
        ]}
      />
      <TextInput
        label="User name"
        description="Often the whole address"
        spellCheck={false}
        autoCapitalize="none"
        {...form.field(`servers.${side}.user`)}
      />
    </fieldset>
  );
}
