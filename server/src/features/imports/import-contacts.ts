import { CONTACT_ROLES, type ContactRole } from "@app/shared/contact-roles";
import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import { type CreateContact, createContactSchema } from "@app/shared/contacts";
import { mailboxKey } from "@app/shared/email-address";
import { foldText } from "@app/shared/text";
import type { Scope } from "../../core/trpc.ts";
import { contactTwins, importContacts } from "../contacts/contacts-import.service.ts";
import { assertNobodysMailboxes, ownMailboxes } from "../users/email-connection.service.ts";
import { choiceOf, partsOf } from "../../core/cell-values.ts";
import { type Candidate, importerOf, OWN_ADDRESS, type Resolved, type RowKey } from "./importer.ts";
import { fieldOfPerson, namesOf, phoneKeys, phonesOf, placeOf } from "./person-cells.ts";
import type { RowReader } from "./row-reader.ts";

export const contactImporter = importerOf<CreateContact, CreateContact>({
  read: readContact,
  keysOf: contactKeys,
  resolve: compareContacts,
  async store(scope, inputs) {
    await assertNobodysMailboxes(
      scope.ownerId,
      inputs.map(({ email }) => email),
    );
    return importContacts(scope, inputs);
  },
});

function readContact(reader: RowReader): CreateContact | null {
  const contact: CreateContact = {
    ...namesOf(reader),
    roles: rolesOf(reader),
    title: reader.text("title"),
    organisation: reader.text("organisation"),
    email: reader.text("email"),
    phones: phonesOf(reader),
    address: placeOf(reader),
    reference: reader.text("reference"),
    referrerCode: "",
    notes: reader.lines("notes"),
  };
  return reader.parse(createContactSchema, contact, fieldOfPerson(reader));
}

/** A cell may name several; what is not known is told rather than called "other". */
function rolesOf(reader: RowReader): ContactRole[] {
  const parts = partsOf(reader.text("role"));
  const roles = parts.map((part) => choiceOf(part, CONTACT_ROLES, (role) => CONTACT_ROLE_NAMES[role]));
  if (roles.includes(null)) reader.report("role", `Write one of: ${Object.values(CONTACT_ROLE_NAMES).join(", ")}.`);
  const known = [...new Set(roles.filter((role) => role !== null))];
  return known.length > 0 ? known : ["other"];
}

type Reachable = Pick<CreateContact, "firstName" | "lastName" | "organisation" | "email" | "phones">;

/** The same email or phone, or the same name at the same place; those of one office share a telephone. */
function contactKeys({ firstName, lastName, organisation, email, phones }: Reachable): RowKey[] {
  const name = foldText(`${firstName} ${lastName}`);
  const keys: RowKey[] = [];
  if (email) keys.push({ key: `e:${email} ${name}`, field: "email", what: "the same email and name" });
  for (const key of phoneKeys(phones))
    keys.push({ key: `p:${key} ${name}`, field: "phone", what: "the same phone number and name" });
  keys.push({
    key: `n:${name}|${foldText(organisation)}`,
    field: lastName ? "lastName" : "organisation",
    what: "the same name and organisation",
  });
  return keys;
}

async function compareContacts(
  scope: Scope,
  candidates: Candidate<CreateContact>[],
): Promise<Resolved<CreateContact>[]> {
  const twins = await contactTwins(
    scope,
    candidates.map(({ draft }) => draft),
  );
  const stored = new Map<string, { id: string; name: string }>();
  for (const twin of twins)
    for (const { key } of contactKeys(twin)) if (!stored.has(key)) stored.set(key, { id: twin._id, name: twin.name });
  const own = await ownMailboxes(scope.ownerId);
  return candidates.map(({ draft }) => {
    if (draft.email && own.has(mailboxKey(draft.email))) return { kind: "bad", problem: OWN_ADDRESS };
    const same = contactKeys(draft).find(({ key }) => stored.has(key));
    if (!same) return { kind: "ready", input: draft };
    const problem = {
      field: same.field,
      message: `A contact of the practice has ${same.what}.`,
      twin: stored.get(same.key),
    };
    return { kind: "duplicate", input: draft, problem };
  });
}
