/** Dates and times in the visitor's own zone, as the practice's region writes them. */
export function zoneFormats(locale: string, timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    return (instant: string | Date) => made.format(new Date(instant));
  };
  const weekday = format({ weekday: "long" });
  const dayAndMonth = format({ day: "numeric", month: "long" });
  const longDate = format({ day: "numeric", month: "long", year: "numeric" });
  return {
    /** 11:30 */
    time: format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    /** Thu */
    shortWeekday: format({ weekday: "short" }),
    /** 26 */
    dayOfMonth: format({ day: "numeric" }),
    /** November 2026 */
    month: format({ month: "long", year: "numeric" }),
    /** November */
    monthName: format({ month: "long" }),
    /** Thursday 26 November */
    day: (instant: string | Date) => `${weekday(instant)} ${dayAndMonth(instant)}`,
    /** Thursday 26 November 2026 */
    longDay: (instant: string | Date) => `${weekday(instant)} ${longDate(instant)}`,
  };
}

export type ZoneFormats = ReturnType<typeof zoneFormats>;

export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Old browsers do not list them. */
export const timeZones = (...known: string[]): string[] => {
  const all = "supportedValuesOf" in Intl ? Intl.supportedValuesOf("timeZone") : [];
  return [...new Set([...known, ...all])].sort((one, other) => one.localeCompare(other, "en"));
};
