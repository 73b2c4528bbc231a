import { addDays } from "@app/shared/days";
import { instantOf, wallTimeOf } from "@app/shared/wall-time";
import { SimpleGrid, TextInput } from "@mantine/core";

/** A day and two times of day, as somebody types them. */
export interface When {
  day: string;
  from: string;
  to: string;
}

export function whenOf(timeZone: string, startsAt: string, endsAt: string): When {
  const start = wallTimeOf(timeZone, new Date(startsAt));
  return { day: start.day, from: start.time, to: wallTimeOf(timeZone, new Date(endsAt)).time };
}

/** The same as instants in the practice's zone; an end before the start is on the next day. */
export function instantsOf(timeZone: string, { day, from, to }: When): { startsAt: string; endsAt: string } {
  const endDay = to > from ? day : addDays(day, 1);
  return {
    startsAt: instantOf(timeZone, { day, time: from }).toISOString(),
    endsAt: instantOf(timeZone, { day: endDay, time: to }).toISOString(),
  };
}

export function checkWhen({ day, from, to }: When): Record<string, string> {
  if (!day) return { day: "Choose a day" };
  if (!from) return { from: "Enter a time" };
  if (!to) return { to: "Enter a time" };
  return to <= from && minutesFrom(from, to) > PAST_MIDNIGHT_MAX_MINUTES
    ? { to: "This is before the beginning. Enter a later time." }
    : {};
}

/** What goes on past midnight ends soon after it; anything longer is a slip of the hand. */
const PAST_MIDNIGHT_MAX_MINUTES = 6 * 60;
const DAY_MINUTES = 24 * 60;

function minutesFrom(from: string, to: string): number {
  const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  return (DAY_MINUTES + minutesOf(to) - minutesOf(from)) % DAY_MINUTES || DAY_MINUTES;
}

interface Props {
  value: When;
  errors: Record<string, string>;
  onChange: (value: When) => void;
}

export function WhenFields({ value, errors, onChange }: Props) {
  const set = (change: Partial<When>) => onChange({ ...value, ...change });
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
      <TextInput
        label="Day"
        type="date"
        value={value.day}
        error={errors["day"]}
        onChange={(event) => set({ day: event.currentTarget.value })}
      />
      <TextInput
        label="From"
        type="time"
        value={value.from}
        error={errors["from"] ?? errors["startsAt"]}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        label="To"
        type="time"
        value={value.to}
        error={errors["to"] ?? errors["endsAt"]}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
