import type { CreateClient } from "@app/shared/clients";
import { SegmentedControl } from "@mantine/core";
import type { useServerForm } from "../../core/form.tsx";
import { Section } from "../../ui/section.tsx";
import { ClientContactFields } from "./client-contact-fields.tsx";
import { ClientNameFields } from "./client-name-fields.tsx";
import { ClientSafetyFields } from "./client-safety-fields.tsx";
import "../../ui/form-grid.css";
import "./clients.css";

export type ClientForm = ReturnType<typeof useServerForm<CreateClient>>;

/** Everything that is known of a client; used to add one and to change one. */
export function ClientFields({ form }: { form: ClientForm }) {
  return (
    <>
      <Section
        title="Who"
        action={
          <SegmentedControl
            size="xs"
            aria-label="Kind of client"
            data={[
              { value: "person", label: "Person" },
              { value: "organisation", label: "Organisation" },
            ]}
            {...form.field("kind")}
          />
        }
      >
        <ClientNameFields form={form} />
      </Section>
      <Section title="Contact">
        <ClientContactFields form={form} />
      </Section>
      <Section title="Safe contact">
        <ClientSafetyFields form={form} />
      </Section>
    </>
  );
}
