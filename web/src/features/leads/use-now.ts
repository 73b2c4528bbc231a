import { useInterval } from "@mantine/hooks";
import { useState } from "react";

const MINUTE_MS = 60_000;

/** The present time, anew each minute, for what counts down to an answer. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), MINUTE_MS, { autoInvoke: true });
  return now;
}
