const DAY_MS = 86_400_000;

/** The full hour that comes next tomorrow: somewhere to start from. */
export function nextHour(): string {
  const at = new Date(Date.now() + DAY_MS);
  at.setUTCMinutes(60, 0, 0);
  return at.toISOString();
}
