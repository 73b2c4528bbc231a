// Time zones as people know them: by a city. Free of zod.

/** Cities that the list of zones has under a name that is not theirs any more. */
const TODAY: Record<string, string> = {
  Calcutta: "Kolkata",
  Dacca: "Dhaka",
  Godthab: "Nuuk",
  Katmandu: "Kathmandu",
  Kiev: "Kyiv",
  Rangoon: "Yangon",
  Saigon: "Ho Chi Minh City",
};

/** London, of Europe/London. */
export function cityOf(timeZone: string): string {
  const city = timeZone.slice(timeZone.lastIndexOf("/") + 1).replace(/_/g, " ");
  return TODAY[city] ?? city;
}

/** New York (America), GMT−5 */
export function zoneName(timeZone: string, at: Date): string {
  const region = timeZone.includes("/") ? ` (${timeZone.slice(0, timeZone.indexOf("/")).replace(/_/g, " ")})` : "";
  const offset = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "short" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  return `${cityOf(timeZone)}${region}, ${(offset ?? "").replace("-", "−")}`;
}
