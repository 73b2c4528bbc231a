// Invented solicitors, interpreters and others who belong to the cases of the invented practice.
import type { Case } from "@app/shared/cases";
import type { ContactRole } from "@app/shared/contact-roles";
import type { CreateContact } from "@app/shared/contacts";
import type { Scope } from "@app/server/core/trpc";
import { linkContact } from "@app/server/features/contacts/contact-links.service";
import { createContacts, setContactStatus } from "@app/server/features/contacts/contacts.service";

interface Person {
  roles: ContactRole[];
  name: [string, string];
  firm: string;
  referrerCode?: CreateContact["referrerCode"];
  notes?: string;
}

const PEOPLE: Person[] = [
  { roles: ["solicitor", "referrer"], name: ["Imogen", "Thackray"], firm: "Thackray Quill LLP", referrerCode: "02" },
  {
    roles: ["solicitor"],
    name: ["Desmond", "Akers"],
    firm: "Akers & Lund Solicitors",
    notes: "Prefers a call before ten. Sends disclosure by post.",
  },
  { roles: ["solicitor"], name: ["Nerys", "Pugh-Rowland"], firm: "Kestrel Family Law" },
  { roles: ["solicitor"], name: ["Baz", "Odukoya"], firm: "Thackray Quill LLP" },
  { roles: ["counsel"], name: ["Verity", "Ashgrove"], firm: "Six Lantern Chambers" },
  {
    roles: ["interpreter"],
    name: ["Zofia", "Wilk"],
    firm: "",
    notes: "Polish and Ukrainian. Works by video and in the room.",
  },
  { roles: ["interpreter"], name: ["Hamid", "Rostami"], firm: "Plain Tongue Interpreters" },
  { roles: ["social_worker"], name: ["Coral", "Dunmore"], firm: "Aire Valley Children’s Services" },
  { roles: ["expert"], name: ["Piers", "Hollins"], firm: "Hollins Pension Actuaries" },
  { roles: ["expert"], name: ["Sunniva", "Berg"], firm: "Northmoor Property Valuers" },
  { roles: ["referrer"], name: ["", ""], firm: "Beck Lane Surgery", referrerCode: "07" },
  { roles: ["referrer"], name: ["", ""], firm: "Kirkstall Advice Centre", referrerCode: "04" },
  { roles: ["employer_hr"], name: ["Odette", "Frame"], firm: "Millrace Textiles" },
  { roles: ["other"], name: ["Father Anselm", "Crewe"], firm: "St Oswin’s Community Hall" },
  { roles: ["solicitor"], name: ["Wilf", "Garside"], firm: "Garside & Co (closed)" },
];

function demoContact(
  { roles, name: [firstName, lastName], firm, referrerCode = "", notes = "" }: Person,
  index: number,
) {
  const mailbox = (lastName || "office").toLowerCase().replace(/[^a-z]/g, "");
  const domain = (firm || "freelance").toLowerCase().replace(/[^a-z]/g, "");
  return {
    roles,
    title: "",
    firstName,
    lastName,
    organisation: firm,
    email: `${mailbox}@${domain}.example.org`,
    phones: [{ type: "work", number: `0113 496 0${String(300 + index)}`, isPreferred: true }],
    address: { lines: [`${index + 3} Wharf Street`], postcode: "LS2 7EW", country: "United Kingdom" },
    reference: "",
    referrerCode,
    notes,
  } satisfies CreateContact;
}

/** Puts some of them into these cases: solicitors on either side, and now and then somebody on nobody's. */
export async function demoContacts(scope: Scope, cases: readonly Case[]): Promise<void> {
  const contacts = await createContacts(scope, PEOPLE.map(demoContact));
  const [thackray, akers, pugh, odukoya, , wilk, , dunmore, hollins, , surgery] = contacts;
  for (const [index, { id: caseId, parties }] of cases.entries()) {
    const [first, second] = parties;
    const add = async (contact: { id: string } | undefined, role: ContactRole, partyId: string | null = null) => {
      if (contact) await linkContact(scope, { id: contact.id, caseId, role, partyId });
    };
    if (first && index % 2 === 0) await add(index % 4 === 0 ? thackray : pugh, "solicitor", first.partyId);
    if (second && index % 3 === 0) await add(index % 6 === 0 ? akers : odukoya, "solicitor", second.partyId);
    if (second && index % 5 === 1) await add(wilk, "interpreter", second.partyId);
    if (index % 7 === 2) await add(dunmore, "social_worker");
    if (index % 4 === 1) await add(hollins, "expert");
    if (index % 6 === 3) await add(surgery, "referrer");
  }
  const last = contacts.at(-1);
  if (last) await setContactStatus(scope, { ids: [last.id], status: "archived" });
}
