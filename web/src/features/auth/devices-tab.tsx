import { useCurrentUser } from "../../core/session.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
import { Section } from "../../ui/section.tsx";
import { ChangePasswordForm } from "./change-password-form.tsx";
import { DeviceList } from "./device-list.tsx";
import { TwoFactorSection } from "./two-factor-section.tsx";

export function DevicesTab() {
  const user = useCurrentUser();
  const side = (
    <Section title="You sign in with">
      <p className="quiet-text">{user.userEmail}</p>
    </Section>
  );
  return (
    <PageGrid main="text" side={side}>
      <TwoFactorSection />
      <Section title="Password">
        <ChangePasswordForm />
      </Section>
      <DeviceList />
    </PageGrid>
  );
}
