import { can } from "@app/shared/access";
import { Tabs } from "@mantine/core";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BusyCalendars } from "./busy-calendars.tsx";
import { CalendarFeed } from "./calendar-feed.tsx";
import { WorkingHours } from "./working-hours.tsx";

/** Working hours, busy times of other calendars, and the address to subscribe to. */
export function CalendarSettingsDialog({ onClose }: { onClose: () => void }) {
  const user = useCurrentUser();
  const mayManage = can(user, "calendar.manage");
  return (
    <Dialog isOpen onClose={onClose} title="Calendar settings" size="form">
      <Tabs defaultValue={mayManage ? "hours" : "feed"} keepMounted={false}>
        <Tabs.List aria-label="Calendar settings">
          {mayManage && <Tabs.Tab value="hours">Working hours</Tabs.Tab>}
          {mayManage && <Tabs.Tab value="busy">Other calendars</Tabs.Tab>}
          <Tabs.Tab value="feed">Subscribe</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="hours" pt="md">
          <WorkingHours />
        </Tabs.Panel>
        <Tabs.Panel value="busy" pt="md">
          <BusyCalendars />
        </Tabs.Panel>
        <Tabs.Panel value="feed" pt="md">
          <CalendarFeed />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}
