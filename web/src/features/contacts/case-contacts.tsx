import type { Case } from "@app/shared/cases";
import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import type { CaseContact } from "@app/shared/contacts";
import { ActionIcon, Anchor } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { AddButton } from "../../ui/add-button.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { Readers } from "../visibility/readers.tsx";
import { dialling } from "./contact-words.ts";
import { LinkContactDialog } from "./link-contact-dialog.tsx";
import { useUnlink } from "./use-links.ts";
import "./contacts.css";

/** Who belongs to a case without being a party; somebody of one party's side carries that party's marker. */
export function CaseContacts({ theCase, mayChange }: { theCase: Case; mayChange: boolean }) {
  const contacts = api.contacts.ofCase.useQuery({ id: theCase.id });
  const [isAdding, setIsAdding] = useState(false);
  const add = <AddButton onClick={() => setIsAdding(true)}>Add a person</AddButton>;
  return (
    <Section title="Other people" count={contacts.data?.items.length || undefined} action={mayChange ? add : undefined}>
      <Loaded query={contacts} failureTitle="The contacts of this case could not be read">
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">No solicitor, interpreter or referrer is recorded for this case.</p>
          ) : (
            <ul className="rows">
              {items.map((contact) => (
                <ContactItem
                  key={`${contact.contactId} ${contact.role} ${contact.partyId ?? ""}`}
                  theCase={theCase}
                  contact={contact}
                  mayChange={mayChange}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdding && <LinkContactDialog theCase={theCase} onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

interface ItemProps {
  theCase: Case;
  contact: CaseContact;
  mayChange: boolean;
}

function ContactItem({ theCase, contact, mayChange }: ItemProps) {
  const unlink = useUnlink();
  const { contactId, displayName, organisation, role, partyId, phone, visibility } = contact;
  const firm = organisation === displayName ? "" : organisation;
  return (
    <li>
      <span className="contact-row-side">
        <Readers visibility={visibility} parties={theCase.parties} />
      </span>
      <span className="contact-row-main">
        <TextLink to="/contacts" search={{ open: contactId }} fz="inherit">
          {displayName}
        </TextLink>
        <span className="contact-row-role">{[CONTACT_ROLE_NAMES[role], firm].filter(Boolean).join(", ")}</span>
        {phone && (
          <span className="contact-row-role tabular">
            <Anchor href={dialling(phone)} c="inherit" fz="inherit">
              {phone}
            </Anchor>
          </span>
        )}
      </span>
      {mayChange && (
        <ActionIcon
          variant="subtle"
          aria-label={`Take ${displayName} off this case`}
          onClick={() => void unlink({ id: contactId, displayName }, { caseId: theCase.id, role, partyId })}
        >
          <IconX size={16} stroke={1.7} />
        </ActionIcon>
      )}
    </li>
  );
}
