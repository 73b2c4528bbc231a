import { newId } from "@app/server/core/ids";
import type { CreateContact } from "@app/shared/contacts";
import type { Door } from "./door.ts";
import type { Sent } from "../server/people.ts";

/** A contact as the form would send it. */
export const aContact = (overrides: Partial<Sent<CreateContact>> = {}): Sent<CreateContact> => ({
  id: newId(),
  ...contactFields(),
  ...overrides,
});

/** The fields of a contact, as they are saved again later. */
export const contactFields = (overrides: Partial<CreateContact> = {}): CreateContact => ({
  roles: ["solicitor"],
  title: "",
  firstName: "Harriet",
  lastName: "Lowell",
  organisation: "Lowell & Finch LLP",
  email: "harriet@lowellfinch.example.org",
  phones: [{ type: "work", number: "0113 496 0142", isPreferred: true }],
  address: { lines: ["9 Canal Street"], postcode: "LS1 4DT", country: "United Kingdom" },
  reference: "DX 12034",
  referrerCode: "02",
  notes: "",
  ...overrides,
});

/** The procedures of contacts. The practice's contact is the solicitor of its party. */
export const CONTACTS_ACCESS: Record<string, Door> = {
  "contacts.list": {
    access: "subscribed",
    permission: "clients.read",
    input: () => ({ search: "canary", role: "solicitor" }),
    more: [() => ({ sort: "organisation" }), () => ({ sort: "createdAt", isDescending: true })],
    stranger: "own",
  },
  "contacts.get": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ contactId }) => ({ id: contactId }),
    stranger: "missing",
  },
  "contacts.ofCase": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId }) => ({ id: caseId }),
    stranger: "missing",
  },
  "contacts.create": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: () => aContact(),
    stranger: "own",
  },
  "contacts.update": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ contactId }) => ({ id: contactId, version: 0, contact: contactFields() }),
    stranger: "missing",
  },
  "contacts.link": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ contactId, caseId, partyId }) => ({ changeId: newId(), id: contactId, caseId, role: "counsel", partyId }),
    more: [
      ({ contactId, caseId }) => ({ changeId: newId(), id: contactId, caseId, role: "interpreter", partyId: null }),
    ],
    stranger: "missing",
  },
  "contacts.unlink": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ contactId, caseId, partyId }) => ({ id: contactId, caseId, role: "solicitor", partyId }),
    stranger: "missing",
  },
  "contacts.setStatus": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ contactId }) => ({ ids: [contactId], status: "archived" }),
    stranger: "own",
  },
};
