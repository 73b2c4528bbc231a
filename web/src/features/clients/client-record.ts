import { type Client, type CreateClient, createClientSchema, DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { validateWith } from "../../core/validate.ts";
import { plainFields } from "../../ui/version-fields.ts";
import { addressText, phonesText, withAddressRows, withoutEmptyRows, withoutRows } from "../people/reach-values.ts";

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

const check = validateWith(createClientSchema);
export const validateClient = (client: CreateClient) => check(withoutEmptyRows(client));

/** The part of a client that a person fills in, as it stands in the form. */
export function clientValues(client: Client): CreateClient {
  const { id: _id, displayName: _name, status: _status, version: _version, ...rest } = client;
  const { createdAt: _createdAt, updatedAt: _updatedAt, updatedByName: _updatedBy, ...filled } = rest;
  const { isContactUnchecked: _isUnchecked, ...values } = filled;
  return withAddressRows(values);
}

/** What two versions of a client are compared by, and in which words. */
export const CLIENT_FIELDS = withoutRows(
  plainFields<CreateClient>(
    {
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
      isAddressConfidential: "Address kept from the other participant",
      safeContact: "Safe contact",
      needs: "Needs",
      tags: "Tags",
    },
    { phones: phonesText, address: addressText, safeContact: safeText, tags: (tags) => tags.join(", ") },
  ),
);

function safeText(safe: CreateClient["safeContact"]): string {
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
