import { type BookingRules, STEP_MINUTES } from "@app/shared/availability";
import { NativeSelect, NumberInput, SimpleGrid } from "@mantine/core";

interface Props {
  rules: BookingRules;
  errors: Record<string, string>;
  onChange: (rules: BookingRules) => void;
}

/** What holds for whoever books by a link. */
export function BookingRulesFields({ rules, errors, onChange }: Props) {
  const set = (change: Partial<BookingRules>) => onChange({ ...rules, ...change });
  const numberOf = (key: NumberKey, label: string, limits: { min: number; max: number; step?: number }) => (
    <NumberInput
      label={label}
      error={errors[`rules.${key}`]}
      value={rules[key]}
      onChange={(value) => set({ [key]: Number(value) })}
      {...limits}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" role="group" aria-label="For people who book by a link">
      {numberOf("bufferBeforeMinutes", "Minutes free before a meeting", { min: 0, max: 240, step: 5 })}
      {numberOf("bufferAfterMinutes", "Minutes free after a meeting", { min: 0, max: 240, step: 5 })}
      {numberOf("minNoticeHours", "Hours of notice", { min: 0, max: 336 })}
      {numberOf("horizonDays", "Days ahead", { min: 1, max: 365 })}
      <NumberInput
        label="Most meetings in a day (optional)"
        min={1}
        max={30}
        error={errors["rules.maxPerDay"]}
        value={rules.maxPerDay ?? ""}
        onChange={(value) => set({ maxPerDay: value === "" ? null : Number(value) })}
      />
      <NativeSelect
        label="Times are offered every"
        data={STEP_MINUTES.map((minutes) => ({ value: String(minutes), label: `${minutes} minutes` }))}
        value={String(rules.stepMinutes)}
        onChange={(event) => set({ stepMinutes: stepOf(event.currentTarget.value) })}
      />
    </SimpleGrid>
  );
}

type NumberKey = "bufferBeforeMinutes" | "bufferAfterMinutes" | "minNoticeHours" | "horizonDays";

const stepOf = (value: string) => STEP_MINUTES.find((minutes) => String(minutes) === value) ?? 15;
