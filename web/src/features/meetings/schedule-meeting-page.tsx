import { DeadLink } from "../shell/dead-link.tsx";

export function ScheduleMeetingPage() {
  return <DeadLink />;
}
