import { CONTACT_ROLE_NAMES, REFERRER_CODE_NAMES } from "@app/shared/contact-words";
import type { Contact } from "@app/shared/contacts";
import { Anchor, Group } from "@mantine/core";
import { Chip } from "../../ui/chip.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { emailFact } from "../people/email-fact.tsx";
import { ContactCases } from "./contact-cases.tsx";
import { dialling } from "./contact-words.ts";

const NONE = "None recorded";
const PHONE_LABELS = { mobile: "Mobile", home: "Home phone", work: "Work phone" } as const;

/** Who somebody is, how they are reached, and which cases they belong to. */
export function ContactView({ contact, mayWrite }: { contact: Contact; mayWrite: boolean }) {
  return (
    <>
      <Group gap="xs">
        {contact.roles.map((role) => (
          <Chip key={role}>{CONTACT_ROLE_NAMES[role]}</Chip>
        ))}
        {contact.status === "archived" && <Chip tone="outline">Archived</Chip>}
      </Group>
      <Facts facts={factsOf(contact)} labelWidth={116} />
      <ContactCases contact={contact} mayWrite={mayWrite && contact.status === "active"} />
      <Section title="Notes" order={3}>
        <p className={contact.notes ? "contact-notes" : "contact-notes quiet-text"}>{contact.notes || NONE}</p>
      </Section>
    </>
  );
}

function factsOf({ title, displayName, organisation, email, phones, address, reference, referrerCode }: Contact) {
  const lines = [...address.lines, address.postcode, address.country].filter(Boolean);
  return [
    ...(title ? [{ label: "Name", value: `${title} ${displayName}` }] : []),
    ...(organisation && organisation !== displayName ? [{ label: "Organisation", value: organisation }] : []),
    emailFact(email, NONE),
    ...phones.map(({ type, number, isPreferred }) => ({
      label: PHONE_LABELS[type],
      value: (
        <span className="tabular">
          <Anchor href={dialling(number)} fz="inherit">
            {number}
          </Anchor>
          {isPreferred && phones.length > 1 && <> · use first</>}
        </span>
      ),
    })),
    { label: "Address", value: lines.join(", ") || NONE },
    ...(reference ? [{ label: "Reference", value: reference }] : []),
    ...(referrerCode ? [{ label: "Refers as", value: REFERRER_CODE_NAMES[referrerCode] }] : []),
  ];
}
