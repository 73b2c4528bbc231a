import { ROLE_NAMES } from "@app/shared/access";
import type { InviteStaff } from "@app/shared/users";
import { Button, CopyButton, Group, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

interface Props {
  onClose: () => void;
  onInvited: () => void;
}

const ROLE_OPTIONS = [2, 3, 4, 5].map((role) => ({ value: String(role), label: nameOf(role) }));

/** What a person may do follows from their role, so it is chosen. */
interface Values extends Omit<InviteStaff, "role"> {
  role: InviteStaff["role"] | "";
}

const EMPTY: Values = { email: "", firstName: "", lastName: "", role: "" };

function nameOf(role: number): string {
  return Object.entries(ROLE_NAMES).find(([key]) => key === String(role))?.[1] ?? "";
}

function roleOf(text: string): Values["role"] {
  return ([2, 3, 4, 5] as const).find((role) => String(role) === text) ?? "";
}

export function InviteDialog({ onClose, onInvited }: Props) {
  const [link, setLink] = useState<string | null>(null);
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const invite = api.staff.invite.useMutation();
  const form = useServerForm<Values>({
    initialValues: EMPTY,
    validate: ({ role }): Record<string, string> => (role === "" ? { role: "Choose a role" } : {}),
    submit: async ({ role, ...values }, id) => {
      if (role === "") return;
      const answer = await invite.mutateAsync({ id, ...values, role });
      onInvited();
      if (answer.link) return setLink(answer.link);
      if (!answer.isMailSent) return setUnsent({ email: values.email, triedUntil: answer.triedUntil });
      notify(`An invitation is on its way to ${values.email}`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Invite a person" size="form">
      {unsent ? (
        <NotSentYet unsent={unsent} onClose={onClose} />
      ) : link ? (
        <PassOn link={link} name={form.values.firstName} onClose={onClose} />
      ) : (
        <Form form={form}>
          <Stack gap="lg">
            <TextInput label="Email address" type="email" autoComplete="off" {...form.field("email")} />
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
              <TextInput label="First name" autoComplete="off" {...form.field("firstName")} />
              <TextInput label="Last name" autoComplete="off" {...form.field("lastName")} />
            </SimpleGrid>
            <NativeSelect
              label="Role"
              description="What each switch allows can be changed afterwards"
              data={form.values.role === "" ? [{ value: "", label: "Choose" }, ...ROLE_OPTIONS] : ROLE_OPTIONS}
              value={String(form.values.role)}
              error={form.errors["role"]}
              onChange={(event) => form.setFieldValue("role", roleOf(event.currentTarget.value))}
            />
            <FormFoot isSaving={form.isSaving}>Send invitation</FormFoot>
          </Stack>
        </Form>
      )}
    </Dialog>
  );
}

interface Unsent {
  email: string;
  triedUntil: string | null;
}

/** The link goes to its address alone, so there is nothing to pass on by hand. */
function NotSentYet({ unsent: { email, triedUntil }, onClose }: { unsent: Unsent; onClose: () => void }) {
  const formats = useFormats();
  return (
    <Stack gap="lg">
      <span>
        {triedUntil
          ? `The invitation to ${email} is made, but its mail is not sent yet: the mail server is slow or puts it off. It is tried again until about ${formats.time(triedUntil)}. If nothing arrives by then, take the invitation back and invite again.`
          : `The invitation to ${email} is made, but its mail could not be sent. Check the address, and see why under “Messages that could not be sent” in your email settings. Then take the invitation back and invite again.`}
      </span>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

function PassOn({ link, name, onClose }: { link: string; name: string; onClose: () => void }) {
  return (
    <Stack gap="lg">
      <span>
        The invitation is made, but no mail could be sent: this installation has no way to send any yet. Give {name}{" "}
        this link yourself. It is shown only now.
      </span>
      <TextInput label="Link" value={link} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Group justify="flex-end">
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy link"}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
