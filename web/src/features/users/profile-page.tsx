import { ROLE_NAMES } from "@app/shared/access";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { Facts } from "../../ui/facts.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { ProfileForm } from "./profile-form.tsx";

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
          {(data) => <ProfileForm profile={data} />}
        </Loaded>
        <Section title="Picture">
          <p className="quiet-text">
            Your initials are shown for you. Pictures cannot be uploaded in this version, so nobody sees anything else
            of you.
          </p>
        </Section>
      </PageGrid>
    </>
  );
}
