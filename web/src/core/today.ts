import { useState } from "react";
import { dayIn } from "@app/shared/days";
import { useCurrentUser } from "./session.ts";

/** Today as YYYY-MM-DD in the practice's zone. */
export function useToday(): string {
  const { timeZone } = useCurrentUser();
  const [now] = useState(() => new Date());
  return dayIn(timeZone, now);
}
