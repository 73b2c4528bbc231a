import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import type { Contact, LinkedCase } from "@app/shared/contacts";
import { ActionIcon } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { AddButton } from "../../ui/add-button.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { CaseStatusMark } from "../cases/case-status.tsx";
import { LinkToCaseDialog } from "./link-to-case-dialog.tsx";
import { useUnlink } from "./use-links.ts";

/** The cases that a contact belongs to, with what they are to each. */
export function ContactCases({ contact, mayWrite }: { contact: Contact; mayWrite: boolean }) {
  const [isAdding, setIsAdding] = useState(false);
  const add = <AddButton onClick={() => setIsAdding(true)}>Add to a case</AddButton>;
  return (
    <Section title="Cases" count={contact.links.length || undefined} order={3} action={mayWrite ? add : undefined}>
      {contact.links.length === 0 ? (
        <p className="quiet-text">In no case yet.</p>
      ) : (
        <ul className="rows">
          {contact.links.map((link) => (
            <CaseRow
              key={`${link.caseId} ${link.role} ${link.partyId ?? ""}`}
              contact={contact}
              link={link}
              mayWrite={mayWrite}
            />
          ))}
        </ul>
      )}
      {isAdding && <LinkToCaseDialog contact={contact} onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

function CaseRow({ contact, link, mayWrite }: { contact: Contact; link: LinkedCase; mayWrite: boolean }) {
  const unlink = useUnlink();
  return (
    <li>
      <span className="contact-row-main">
        <span className="contact-row-head">
          <TextLink
            to="/clients/view/$id"
            params={{ id: link.clientId }}
            search={{ tab: "case", case: link.caseId }}
            fz="inherit"
          >
            {link.caseRef}
          </TextLink>
          <CaseStatusMark status={link.status} />
        </span>
        <span className="contact-row-role">
          {CONTACT_ROLE_NAMES[link.role]} {link.partyId === null ? "in the case of" : "for"}
          {link.parties.map(({ label, name }) => (
            <span key={label} className="contact-row-party">
              <PartyMarker label={label} /> {name}
            </span>
          ))}
        </span>
      </span>
      {mayWrite && (
        <ActionIcon
          variant="subtle"
          aria-label={`Take ${contact.displayName} off ${link.caseRef}`}
          onClick={() => void unlink({ id: contact.id, displayName: contact.displayName }, link)}
        >
          <IconX size={16} stroke={1.7} />
        </ActionIcon>
      )}
    </li>
  );
}
