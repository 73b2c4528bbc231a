import { mayMediate } from "@app/shared/team-access";
import type { UpdateProfile } from "@app/shared/users";
import { Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { checkSession, useCurrentUser } from "../../core/session.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { plainFields } from "../../ui/version-fields.ts";
import { Section } from "../../ui/section.tsx";

type ProfileValues = Omit<UpdateProfile, "version">;

const FIELDS = plainFields<ProfileValues>({
  firstName: "First name",
  lastName: "Last name",
  isAccredited: "Accredited by the Family Mediation Council",
  accreditationNumber: "FMC registration number (URN)",
  isChildInclusive: "Registered for child-inclusive mediation",
});
type Profile = UpdateProfile & { isAccreditationConfirmed: boolean; isChildInclusiveConfirmed: boolean };
const recordOf = ({
  version,
  isAccreditationConfirmed: _confirmed,
  isChildInclusiveConfirmed: _forChildren,
  ...values
}: Profile) => ({ values, version });

const confirmation = ({ isAccreditationConfirmed }: Profile): string =>
  isAccreditationConfirmed
    ? "Confirmed by the owner of the practice. Another number has to be confirmed again."
    : "You sign certificates once the owner of the practice has confirmed it under Staff and permissions.";

export function ProfileForm({ profile }: { profile: Profile }) {
  const utils = api.useUtils();
  const { role } = useCurrentUser();
  const update = api.users.updateProfile.useMutation();
  const stored = recordOf(profile);
  const form = useVersionedForm<ProfileValues>({
    fields: FIELDS,
    stored,
    read: async () => recordOf(await utils.users.profile.fetch(undefined, { staleTime: 0 })),
    async send(values, version) {
      const saved = await update.mutateAsync({ ...values, version });
      utils.users.profile.setData(undefined, saved);
      await checkSession({ isFresh: true });
      notify("Your profile is saved");
      return recordOf(saved);
    },
  });
  return (
    <Section title="You">
      <VersionedForm form={form} what="profile">
        <Stack gap="lg" pt="md" maw={350}>
          <TextInput label="First name" autoComplete="given-name" {...form.field("firstName")} />
          <TextInput label="Last name" autoComplete="family-name" {...form.field("lastName")} />
          {mayMediate(role) && (
            <>
              <Switch
                label="I am accredited by the Family Mediation Council"
                description="Only accredited mediators may sign MIAM certificates"
                {...form.field("isAccredited", { type: "checkbox" })}
              />
              <TextInput
                label="FMC registration number (URN)"
                description={confirmation(profile)}
                {...form.field("accreditationNumber")}
              />
              <Switch
                label="I have the child-inclusive registration"
                description={
                  profile.isChildInclusiveConfirmed
                    ? "Confirmed by the owner of the practice. You may lead child-inclusive meetings."
                    : "You lead child-inclusive meetings once the owner of the practice has confirmed it."
                }
                {...form.field("isChildInclusive", { type: "checkbox" })}
              />
            </>
          )}
          <Group>
            <Button type="submit" loading={form.newer.isSaving} disabled={!form.newer.isDirty}>
              Save
            </Button>
          </Group>
        </Stack>
      </VersionedForm>
    </Section>
  );
}
