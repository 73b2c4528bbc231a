import type { Availability, AvailabilityOf, BookingRules } from "@app/shared/availability";
import { Button, Group, Stack, Textarea, TextInput, Title } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { BookingRulesFields } from "./booking-rules-fields.tsx";
import { otherHoursIn, otherHoursText } from "./other-hours.ts";
import { plainFields } from "../../ui/version-fields.ts";

const WEEKDAYS = [
  { weekday: 1, name: "Monday" },
  { weekday: 2, name: "Tuesday" },
  { weekday: 3, name: "Wednesday" },
  { weekday: 4, name: "Thursday" },
  { weekday: 5, name: "Friday" },
  { weekday: 6, name: "Saturday" },
  { weekday: 0, name: "Sunday" },
];

/** When somebody works, by the day of the week. */
export function WorkingHours() {
  const availability = api.meetings.availability.useQuery();
  return (
    <Loaded query={availability} failureTitle="Your working hours could not be read">
      {(hours) => <HoursForm hours={hours} />}
    </Loaded>
  );
}

interface Hours {
  weekly: Availability["weekly"];
  /** One a line. */
  daysOff: string;
  /** One day a line. */
  otherHours: string;
  rules: BookingRules;
}

const recordOf = ({ weekly, daysOff, otherHours, rules, version }: AvailabilityOf) => ({
  values: { weekly, daysOff: daysOff.join("\n"), otherHours: otherHoursText(otherHours), rules },
  version,
});

const FIELDS = plainFields<Hours>(
  { weekly: "Working hours", daysOff: "Days off", otherHours: "Other hours", rules: "Booking by a link" },
  {
    weekly: (weekly) =>
      WEEKDAYS.flatMap(({ weekday, name }) =>
        weekly.filter((range) => range.weekday === weekday).map(({ from, to }) => `${name} ${from} to ${to}`),
      ).join(", "),
    daysOff: (days) => daysIn(days).join(", "),
  },
);

const daysIn = (days: string): string[] => days.split(/[\s,]+/).filter(Boolean);

function HoursForm({ hours }: { hours: AvailabilityOf }) {
  const utils = api.useUtils();
  const save = api.meetings.setAvailability.useMutation();
  const form = useVersionedForm<Hours>({
    fields: FIELDS,
    stored: recordOf(hours),
    read: async () => recordOf(await utils.meetings.availability.fetch(undefined, { staleTime: 0 })),
    validate: ({ otherHours }) =>
      otherHoursIn(otherHours) ? {} : { otherHours: "Write each day like 2026-12-24 09:00-12:00, 13:00-15:00" },
    async send({ weekly, daysOff, otherHours, rules }, version) {
      const saved = await save.mutateAsync({
        weekly,
        daysOff: daysIn(daysOff),
        otherHours: otherHoursIn(otherHours) ?? [],
        rules,
        version,
      });
      await utils.meetings.invalidate();
      notify("Your working hours are saved");
      return recordOf(saved);
    },
  });
  return (
    <VersionedForm form={form} what="timetable" label="Working hours">
      <Stack gap="sm">
        <WeekHours weekly={form.values.weekly} onChange={(weekly) => form.setFieldValue("weekly", weekly)} />
        <Textarea
          label="Days off (optional)"
          description="One a line, such as 2026-12-25"
          autosize
          minRows={2}
          {...form.field("daysOff")}
        />
        <Textarea
          label="Other hours on single days (optional)"
          description="One day a line, such as 2026-12-24 09:00-12:00, 13:00-15:00"
          autosize
          minRows={2}
          {...form.field("otherHours")}
        />
        <Title order={3} fz={14}>
          For people who book by a link
        </Title>
        <BookingRulesFields
          rules={form.values.rules}
          errors={form.errors}
          onChange={(rules) => form.setFieldValue("rules", rules)}
        />
        <span className="quiet-text">Times are those of {hours.timeZone}.</span>
        <Group justify="flex-end">
          <Button type="submit" loading={form.newer.isSaving}>
            Save working hours
          </Button>
        </Group>
      </Stack>
    </VersionedForm>
  );
}

interface WeekProps {
  weekly: Availability["weekly"];
  onChange: (weekly: Availability["weekly"]) => void;
}

function WeekHours({ weekly, onChange }: WeekProps) {
  const hoursOf = (weekday: number) => weekly.find((range) => range.weekday === weekday);
  const set = (weekday: number, change: HoursChange) => {
    const others = weekly.filter((range) => range.weekday !== weekday);
    const before = hoursOf(weekday) ?? { weekday, from: "09:00", to: "17:00" };
    onChange(change ? [...others, { ...before, ...change }] : others);
  };
  return WEEKDAYS.map(({ weekday, name }) => (
    <DayHours key={weekday} name={name} range={hoursOf(weekday)} onChange={(change) => set(weekday, change)} />
  ));
}

/** Null where they do not work on that day. */
type HoursChange = { from?: string; to?: string } | null;

interface DayProps {
  name: string;
  range: Availability["weekly"][number] | undefined;
  onChange: (change: HoursChange) => void;
}

function DayHours({ name, range, onChange }: DayProps) {
  return (
    <Group gap="sm" wrap="nowrap">
      <span style={{ width: 100, fontSize: 13 }}>{name}</span>
      {range ? (
        <>
          <TextInput
            aria-label={`${name} from`}
            type="time"
            value={range.from}
            onChange={(event) => onChange({ from: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`${name} to`}
            type="time"
            value={range.to}
            onChange={(event) => onChange({ to: event.currentTarget.value })}
          />
          <Button variant="subtle" size="xs" aria-label={`Free on ${name}`} onClick={() => onChange(null)}>
            Free
          </Button>
        </>
      ) : (
        <Button variant="subtle" size="xs" aria-label={`Work on ${name}`} onClick={() => onChange({})}>
          Work
        </Button>
      )}
    </Group>
  );
}
