import { DeadLink } from "../shell/dead-link.tsx";

export function PublicLeadFormPage() {
  return <DeadLink />;
}
