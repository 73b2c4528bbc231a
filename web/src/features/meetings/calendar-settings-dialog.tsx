import { cutText } from "@app/shared/cut-text";
import { can } from "@app/shared/access";
import type { Availability, FeedLevel } from "@app/shared/meetings";
import { Button, CopyButton, FileButton, Group, Radio, Stack, Tabs, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";

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
          <Hours />
        </Tabs.Panel>
        <Tabs.Panel value="busy" pt="md">
          <BusyCalendars />
        </Tabs.Panel>
        <Tabs.Panel value="feed" pt="md">
          <Feed />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

const WEEKDAYS = [
  { weekday: 1, name: "Monday" },
  { weekday: 2, name: "Tuesday" },
  { weekday: 3, name: "Wednesday" },
  { weekday: 4, name: "Thursday" },
  { weekday: 5, name: "Friday" },
  { weekday: 6, name: "Saturday" },
  { weekday: 0, name: "Sunday" },
];

function Hours() {
  const availability = api.meetings.availability.useQuery();
  return (
    <Loaded query={availability} failureTitle="Your working hours could not be read">
      {({ weekly, daysOff, timeZone }) => <HoursForm weekly={weekly} daysOff={daysOff} timeZone={timeZone} />}
    </Loaded>
  );
}

function HoursForm({ weekly, daysOff, timeZone }: Availability & { timeZone: string }) {
  const utils = api.useUtils();
  const save = api.meetings.setAvailability.useMutation();
  const form = useServerForm({
    initialValues: { weekly, daysOff: daysOff.join("\n") },
    submit: async (values) => {
      const days = values.daysOff.split(/[\s,]+/).filter(Boolean);
      await save.mutateAsync({ weekly: values.weekly, daysOff: days });
      await utils.meetings.invalidate();
      notify("Your working hours are saved");
    },
  });
  const hoursOf = (weekday: number) => form.values.weekly.find((range) => range.weekday === weekday);
  const set = (weekday: number, change: { from?: string; to?: string } | null) => {
    const others = form.values.weekly.filter((range) => range.weekday !== weekday);
    const before = hoursOf(weekday) ?? { weekday, from: "09:00", to: "17:00" };
    form.setFieldValue("weekly", change ? [...others, { ...before, ...change }] : others);
  };
  return (
    <Form form={form} label="Working hours">
      <Stack gap="sm">
        {WEEKDAYS.map(({ weekday, name }) => {
          const range = hoursOf(weekday);
          return (
            <Group key={weekday} gap="sm" wrap="nowrap">
              <span style={{ width: 100, fontSize: 13 }}>{name}</span>
              {range ? (
                <>
                  <TextInput
                    aria-label={`${name} from`}
                    type="time"
                    value={range.from}
                    onChange={(event) => set(weekday, { from: event.currentTarget.value })}
                  />
                  <TextInput
                    aria-label={`${name} to`}
                    type="time"
                    value={range.to}
                    onChange={(event) => set(weekday, { to: event.currentTarget.value })}
                  />
                  <Button variant="subtle" size="xs" aria-label={`Free on ${name}`} onClick={() => set(weekday, null)}>
                    Free
                  </Button>
                </>
              ) : (
                <Button variant="subtle" size="xs" aria-label={`Work on ${name}`} onClick={() => set(weekday, {})}>
                  Work
                </Button>
              )}
            </Group>
          );
        })}
        <Textarea
          label="Days off (optional)"
          description="One a line, such as 2026-12-25"
          autosize
          minRows={2}
          {...form.field("daysOff")}
        />
        <span className="quiet-text">Times are those of {timeZone}.</span>
        <Group justify="flex-end">
          <Button type="submit" loading={form.isSaving}>
            Save working hours
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function BusyCalendars() {
  const formats = useFormats();
  const utils = api.useUtils();
  const calendars = api.meetings.listBusy.useQuery();
  const options = { onSettled: () => utils.meetings.invalidate() };
  const importBusy = api.meetings.importBusy.useMutation(options);
  const remove = api.meetings.removeBusy.useMutation(options);
  const take = async (file: File | null) => {
    if (!file) return;
    try {
      const name = cutText(file.name.replace(/\.ics$/i, ""), 60) || "Calendar";
      await importBusy.mutateAsync({ name, ics: await file.text() });
      notify(`The busy times of ${name} are taken`);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <Stack gap="md">
      <p className="quiet-text">
        Export your other calendar as an .ics file and choose it here: its times are then taken, and nothing of what
        they are about is kept. The same file name again replaces it.
      </p>
      <Loaded query={calendars} failureTitle="Your other calendars could not be read">
        {({ items }) => (
          <>
            {items.map(({ name, count, importedAt }) => (
              <Group key={name} justify="space-between" fz={13}>
                <span>
                  {name}: {count === 1 ? "1 time" : `${count} times`}, {formats.day(importedAt)}
                </span>
                <Button
                  size="xs"
                  variant="default"
                  loading={remove.isPending}
                  onClick={() => void remove.mutateAsync({ name })}
                  aria-label={`Remove ${name}`}
                >
                  Remove
                </Button>
              </Group>
            ))}
          </>
        )}
      </Loaded>
      <Group>
        <FileButton accept=".ics,text/calendar" onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={importBusy.isPending}>
              Choose an .ics file
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}

const LEVEL_NAMES: Record<FeedLevel, string> = {
  initials: "Kind of meeting and initials",
  busy: "Only that the time is taken",
  full: "Names and places",
};

function Feed() {
  const utils = api.useUtils();
  const formats = useFormats();
  const feed = api.meetings.feed.useQuery();
  const [level, setLevel] = useState<FeedLevel>("initials");
  const [address, setAddress] = useState<string | null>(null);
  const options = { onSettled: () => utils.meetings.feed.invalidate() };
  const make = api.meetings.makeFeed.useMutation(options);
  const revoke = api.meetings.revokeFeed.useMutation(options);
  const act = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <Stack gap="md">
      <p className="quiet-text">
        A secret address that your phone or calendar program reads. Calendar programs keep copies on their own servers,
        so choose how much of a meeting stands there.
      </p>
      <Radio.Group
        label="What it shows"
        value={level}
        onChange={(value) => setLevel(value === "busy" || value === "full" ? value : "initials")}
      >
        <Stack gap="xs" pt="xs">
          {Object.entries(LEVEL_NAMES).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {address && (
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            label="Address"
            description="Shown only now"
            value={address}
            readOnly
            style={{ flex: 1 }}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? "Copied" : "Copy"}
              </Button>
            )}
          </CopyButton>
        </Group>
      )}
      <Loaded query={feed} failureTitle="Your subscription could not be read">
        {(current) => (
          <Group>
            <Button
              loading={make.isPending}
              onClick={() => void act(async () => setAddress((await make.mutateAsync({ level })).address))}
            >
              {current ? "Make a new address" : "Make the address"}
            </Button>
            {current && (
              <>
                <Button
                  variant="default"
                  loading={revoke.isPending}
                  onClick={() =>
                    void act(async () => {
                      await revoke.mutateAsync();
                      setAddress(null);
                      notify("The address no longer works");
                    })
                  }
                >
                  End it
                </Button>
                <span className="quiet-text">
                  In use since {formats.day(current.createdAt)}: {LEVEL_NAMES[current.level].toLowerCase()}
                </span>
              </>
            )}
          </Group>
        )}
      </Loaded>
    </Stack>
  );
}
