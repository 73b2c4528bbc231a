import { type CreateClient, createClientSchema, DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { Button, SegmentedControl } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useEffect } from "react";
import { Form, useServerForm } from "../../core/form.tsx";
import { validateWith } from "../../core/validate.ts";
import { Section } from "../../ui/section.tsx";
import { ClientContactFields } from "./client-contact-fields.tsx";
import { ClientNameFields } from "./client-name-fields.tsx";
import { ClientSafetyFields } from "./client-safety-fields.tsx";
import "../../ui/form-grid.css";
import "./clients.css";

export const EMPTY_CLIENT: CreateClient = {
  kind: "person",
  title: "",
  firstName: "",
  lastName: "",
  knownAs: "",
  organisation: "",
  dateOfBirth: "",
  email: "",
  phones: [{ type: "mobile", number: "", isPreferred: true }],
  address: { lines: ["", ""], postcode: "", country: "" },
  isAddressConfidential: false,
  safeContact: DEFAULT_SAFE_CONTACT,
  needs: "",
  tags: [],
};

/** Rows that were left empty on the screen are not part of the client. */
const withoutEmptyRows = (client: CreateClient): CreateClient => ({
  ...client,
  phones: client.phones.filter((phone) => phone.number.trim() !== ""),
  address: { ...client.address, lines: client.address.lines.filter((line) => line.trim() !== "") },
});

const validate = validateWith(createClientSchema);

export type ClientForm = ReturnType<typeof useServerForm<CreateClient>>;

interface Props {
  initialValues: CreateClient;
  submitLabel: string;
  /** Saves; a rejection shows at the fields, and the person stays. */
  onSubmit: (client: CreateClient, id: string) => Promise<void>;
  onCancel: () => void;
  /** Set before leaving with everything saved, so that nobody is warned of losing it. */
  isSaved: RefObject<boolean>;
  /** Hears of what is typed, for what is looked up meanwhile. */
  onValues?: (client: CreateClient) => void;
  /** More to fill in, before the buttons. */
  children?: ReactNode;
}

/** Everything that is known of a client; used to add one and to change one. */
export function ClientForm(props: Props) {
  const { initialValues, submitLabel, onSubmit, onCancel, isSaved, onValues, children } = props;
  const form = useServerForm<CreateClient>({
    initialValues,
    validate: (values) => validate(withoutEmptyRows(values)),
    submit: (values, id) => onSubmit(withoutEmptyRows(values), id),
  });
  useEffect(() => onValues?.(form.values), [form.values, onValues]);
  useBlocker({
    shouldBlockFn: () =>
      !isSaved.current && form.isDirty() && !window.confirm("Leave without saving? What you typed here would be lost."),
    enableBeforeUnload: () => form.isDirty(),
  });

  return (
    <Form form={form} label="Client" className="client-form">
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
      {children}
      <div className="form-foot">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isSaving}>
          {submitLabel}
        </Button>
      </div>
    </Form>
  );
}
