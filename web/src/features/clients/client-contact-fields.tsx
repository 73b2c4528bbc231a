import { Switch } from "@mantine/core";
import { ReachFields } from "../people/reach-fields.tsx";
import type { ClientForm } from "./client-fields.tsx";

export function ClientContactFields({ form }: { form: ClientForm }) {
  return (
    <div className="form-grid">
      <ReachFields form={form} />
      <Switch
        className="form-grid-whole"
        label="Keep this address from the other participant"
        description="It is then left out of every letter, export and page that somebody else may see"
        {...form.field("isAddressConfidential", { type: "checkbox" })}
      />
    </div>
  );
}
