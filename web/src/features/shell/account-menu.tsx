import { Menu } from "@mantine/core";
import type { ReactElement } from "react";
import { later } from "../../ui/later.tsx";

const AccountItems = later(async () => (await import("./account-items.tsx")).AccountItems);

/** What belongs to the person who is signed in; opens from the element it is given. */
export const AccountMenu = ({ children }: { children: ReactElement }) => (
  <Menu width={240}>
    <Menu.Target>{children}</Menu.Target>
    <Menu.Dropdown>
      <AccountItems />
    </Menu.Dropdown>
  </Menu>
);
