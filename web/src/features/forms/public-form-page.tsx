import { DeadLink } from "../shell/dead-link.tsx";

export function PublicFormPage() {
  return <DeadLink />;
}
