import type { Client, CreateClient } from "@app/shared/clients";
import type { VersionField } from "../../ui/newer-version-dialog.tsx";

type Field = keyof CreateClient;

const LABELS: Record<Field, string> = {
  kind: "Kind",
  title: "Title",
  firstName: "First name",
  lastName: "Last name",
  knownAs: "Known as",
  organisation: "Organisation",
  dateOfBirth: "Date of birth",
  email: "Email",
  phones: "Phone numbers",
  address: "Address",
  isAddressConfidential: "Address kept from the other party",
  safeContact: "Safe contact",
  needs: "Needs",
  tags: "Tags",
};

const FIELDS = Object.entries(LABELS).flatMap(([key]) => (isField(key) ? [key] : []));

function isField(key: string): key is Field {
  return key in LABELS;
}

/** The part of a client that a person fills in. */
export function editableOf(client: Client): CreateClient {
  const { id: _id, displayName: _name, status: _status, version: _version, ...rest } = client;
  const { createdAt: _createdAt, updatedAt: _updatedAt, updatedByName: _updatedBy, ...editable } = rest;
  return editable;
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function textOf(client: CreateClient, field: Field): string {
  const { phones, address, safeContact: safe } = client;
  if (field === "phones")
    return phones.map((phone) => `${phone.number} (${phone.type}${phone.isPreferred ? ", first" : ""})`).join(", ");
  if (field === "address") return [...address.lines, address.postcode, address.country].filter(Boolean).join(", ");
  if (field === "isAddressConfidential") return client.isAddressConfidential ? "Yes" : "No";
  if (field === "tags") return client.tags.join(", ");
  if (field !== "safeContact") return client[field];
  const channels = [
    safe.mayPhone && "phone",
    safe.mayLeaveVoicemail && "voicemail",
    safe.mayText && "text",
    safe.mayEmail && "email",
    safe.mayPost && "post",
  ];
  return [
    `May: ${channels.filter(Boolean).join(", ") || "nothing"}`,
    safe.safeTimes,
    safe.codeWord && `code word ${safe.codeWord}`,
    safe.note,
  ]
    .filter(Boolean)
    .join("; ");
}

/** Where two versions differ, in words, for a person to choose; and how many fields are the same. */
export function compareVersions(
  theirs: CreateClient,
  mine: CreateClient,
): { fields: VersionField[]; sameCount: number } {
  const differing = FIELDS.filter((field) => !isSame(theirs[field], mine[field]));
  const fields = differing.map((field) => ({
    key: field,
    label: LABELS[field],
    theirs: textOf(theirs, field),
    mine: textOf(mine, field),
  }));
  return { fields, sameCount: FIELDS.length - fields.length };
}

/** Their version with the fields taken from mine that were chosen so. */
export const resolveConflict = (
  theirs: CreateClient,
  mine: CreateClient,
  choices: Record<string, "theirs" | "mine">,
): CreateClient => ({
  ...theirs,
  ...pickFields(
    mine,
    FIELDS.filter((field) => choices[field] === "mine"),
  ),
});

const pickFields = (client: CreateClient, fields: readonly Field[]): Partial<CreateClient> =>
  Object.fromEntries(fields.map((field) => [field, client[field]]));
