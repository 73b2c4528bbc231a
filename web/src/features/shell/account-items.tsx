import { type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconDeviceDesktop, IconLogout, IconMoon, IconSettings, IconSun, IconUser } from "@tabler/icons-react";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { signOut } from "./sign-out.ts";

const SCHEMES = [
  { scheme: "auto", label: "As the system", icon: IconDeviceDesktop },
  { scheme: "light", label: "Light", icon: IconSun },
  { scheme: "dark", label: "Dark", icon: IconMoon },
] as const satisfies readonly { scheme: MantineColorScheme; label: string; icon: typeof IconSun }[];

/** What the menu of whoever is signed in offers. */
export function AccountItems() {
  const { userFullName, userEmail, hasAccess } = useCurrentUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (value: string) => setColorScheme(SCHEMES.find(({ scheme }) => scheme === value)?.scheme ?? "auto");
  return (
    <>
      <Menu.Label>
        {userFullName}
        <br />
        {userEmail}
      </Menu.Label>
      {hasAccess && (
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} stroke={1.7} />}>
          Your profile
        </Menu.Item>
      )}
      <Menu.Item component={Link} to="/account" leftSection={<IconSettings size={16} stroke={1.7} />}>
        Account
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>Colours</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={choose}>
        {SCHEMES.map(({ scheme, label, icon: Icon }) => (
          <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} stroke={1.7} aria-hidden />}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconLogout size={16} stroke={1.7} />}
        onClick={() => signOut().catch((error: unknown) => notifyError(`You are still signed in. ${messageOf(error)}`))}
      >
        Sign out
      </Menu.Item>
    </>
  );
}
