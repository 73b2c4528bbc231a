import { ROLE_NAMES } from "@app/shared/access";
import type { UpdateProfile } from "@app/shared/users";
import { Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { checkSession, useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { Facts } from "../../ui/facts.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";

export function ProfilePage() {
  useTitle("Your profile");
  const user = useCurrentUser();
  const profile = api.users.profile.useQuery();
  const side = (
    <Section title="In the practice">
      <Facts
        labelWidth={92}
        facts={[
          { label: "Practice", value: user.practiceName },
          { label: "Role", value: ROLE_NAMES[user.role] },
          { label: "Email", value: user.userEmail },
          {
            label: "Second factor",
            value: (
              <TextLink to="/account" search={{ tab: "devices" }} inherit>
                {user.isTwoFactorOn ? "On" : "Off, set it up"}
              </TextLink>
            ),
          },
        ]}
      />
    </Section>
  );
  return (
    <>
      <PageHead title="Your profile" />
      <PageGrid main="text" side={side}>
        <Loaded query={profile} failureTitle="Your profile could not be read">
          {(data) => <ProfileForm key={data.version} profile={data} />}
        </Loaded>
        <Section title="Picture">
          <p className="quiet-text">
            Your initials stand for you. Pictures cannot be uploaded in this version, so nobody sees anything else of
            you.
          </p>
        </Section>
      </PageGrid>
    </>
  );
}

function ProfileForm({ profile }: { profile: UpdateProfile }) {
  const utils = api.useUtils();
  const update = api.users.updateProfile.useMutation();
  const form = useServerForm({
    initialValues: profile,
    submit: async (values) => {
      utils.users.profile.setData(undefined, await update.mutateAsync(values));
      await checkSession({ isFresh: true });
      notify("Your profile is saved");
    },
  });
  return (
    <Section title="You">
      <Form form={form}>
        <Stack gap="lg" pt="md" maw={350}>
          <TextInput label="First name" autoComplete="given-name" {...form.field("firstName")} />
          <TextInput label="Last name" autoComplete="family-name" {...form.field("lastName")} />
          <Switch
            label="I am accredited by the Family Mediation Council"
            description="Only accredited mediators may sign MIAM certificates"
            {...form.field("isAccredited", { type: "checkbox" })}
          />
          <TextInput label="Accreditation number (optional)" {...form.field("accreditationNumber")} />
          <Group>
            <Button type="submit" loading={form.isSaving} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}
