import mongoose from "mongoose";
import {
  type Client,
  type ClientRow,
  type CreateClient,
  displayName,
  isRestricted,
  preferredPhone,
} from "@app/shared/clients";
import type { Permission } from "@app/shared/access";
import { foldText } from "@app/shared/text";
import { newId } from "../../core/ids.ts";
import { type Known, storedKeys } from "../../core/likeness.ts";
import { owned } from "../../core/owned.ts";
import { nameTerms, phoneTerms } from "../../core/word-search.ts";

export interface ClientDoc extends CreateClient {
  _id: string;
  ownerId: string;
  status: "active" | "archived";
  isRestricted: boolean;
  /** They said that a way of reaching them is not safe, and nobody has looked since; missing where nobody ever did. */
  isContactUnchecked?: boolean;
  /** What somebody has to have who says that it is right; empty or missing where anybody may. */
  contactNeeds?: Permission | "";
  /** The answers that alone are why somebody has to look; empty or missing where anything else is. */
  contactHeldBy?: string[];
  /** Who sees this client of those who see only their own cases: derived from the cases in `clients.service`. */
  assignedUserIds: string[];
  /** Those of them who work on every case of this client, and so say how they are reached; derived in the same step. */
  keptByUserIds: string[];
  /** Who entered the address that stands there; none where it is from before that was kept. */
  emailSetBy?: string;
  /** When another address was entered; missing where the first one stands there. */
  emailEnteredAt?: Date;
  /** For the gate alone: see `core/former-mailboxes`. */
  formerMailboxes?: string[];
  /** Rises with every such derivation. */
  assignmentStep?: number;
  sortName: string;
  searchTerms: string[];
  /** What the conflict check looks records up by. */
  matchKeys: string[];
  createdBy: string;
  updatedBy: string;
  updatedByName: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  /** An address of before that cannot be used any more, as it was. */
  formerEmail?: string;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };

const clientMongooseSchema = new mongoose.Schema<ClientDoc>(
  {
    _id: { type: String, default: newId },
    kind: required,
    title: text,
    firstName: text,
    lastName: text,
    knownAs: text,
    organisation: text,
    dateOfBirth: text,
    email: text,
    phones: [{ _id: false, type: { type: String }, number: String, isPreferred: Boolean }],
    address: { lines: [String], postcode: text, country: text },
    isAddressConfidential: { type: Boolean, default: false },
    safeContact: {
      mayEmail: Boolean,
      mayText: Boolean,
      mayPhone: Boolean,
      mayLeaveVoicemail: Boolean,
      mayPost: Boolean,
      safeTimes: text,
      codeWord: text,
      note: text,
    },
    needs: text,
    tags: [String],
    status: { type: String, default: "active" },
    isRestricted: { type: Boolean, default: false },
    isContactUnchecked: Boolean,
    contactNeeds: String,
    contactHeldBy: { type: [String], default: undefined },
    assignedUserIds: [String],
    keptByUserIds: [String],
    emailSetBy: String,
    emailEnteredAt: Date,
    formerMailboxes: { type: [String], default: undefined, select: false },
    assignmentStep: Number,
    sortName: required,
    searchTerms: [String],
    matchKeys: { type: [String], select: false },
    createdBy: required,
    updatedBy: required,
    updatedByName: required,
    version: { type: Number, default: 0 },
    formerEmail: String,
  },
  { timestamps: true, collection: "clients", versionKey: false },
);
clientMongooseSchema.plugin(owned);
clientMongooseSchema.index({ ownerId: 1, status: 1, sortName: 1, _id: 1 });
clientMongooseSchema.index({ ownerId: 1, status: 1, createdAt: 1, _id: 1 });
clientMongooseSchema.index({ ownerId: 1, status: 1, updatedAt: 1, _id: 1 });
clientMongooseSchema.index({ ownerId: 1, status: 1, searchTerms: 1 });
clientMongooseSchema.index({ ownerId: 1, matchKeys: 1 });
clientMongooseSchema.index({ ownerId: 1, formerMailboxes: 1 });

export const ClientModel = mongoose.model("Client", clientMongooseSchema);

/** The columns of the list; the rest of a client stays in the database. */
export const ROW_FIELDS = {
  kind: 1,
  firstName: 1,
  lastName: 1,
  organisation: 1,
  email: 1,
  phones: 1,
  safeContact: 1,
  isContactUnchecked: 1,
  tags: 1,
  status: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;

export const sortNameOf = (client: Pick<CreateClient, "kind" | "firstName" | "lastName" | "organisation">): string =>
  foldText(client.kind === "organisation" ? client.organisation : `${client.lastName} ${client.firstName}`);

/** Everything that is stored of what a person entered, with what sorting, searching and filtering read. */
export const storedFields = (client: CreateClient) => ({
  ...client,
  isRestricted: isRestricted(client.safeContact),
  sortName: sortNameOf(client),
  searchTerms: searchTerms(client),
  matchKeys: storedKeys(toKnown(client)),
});

/** What the conflict check compares. */
export const toKnown = (client: KnownFields): Known => ({
  firstName: client.firstName,
  lastName: client.lastName,
  knownAs: client.knownAs,
  organisation: client.organisation,
  email: client.email,
  phones: client.phones.map(({ number }) => number),
  dateOfBirth: client.dateOfBirth,
});

type KnownFields = Pick<
  CreateClient,
  "firstName" | "lastName" | "knownAs" | "organisation" | "email" | "phones" | "dateOfBirth"
>;

/** What `toKnown` and the name read. */
export const KNOWN_FIELDS = {
  kind: 1,
  firstName: 1,
  lastName: 1,
  knownAs: 1,
  organisation: 1,
  email: 1,
  phones: 1,
  dateOfBirth: 1,
} as const;

/** Every word that may be typed to find this client. */
function searchTerms(client: CreateClient): string[] {
  const words = [client.firstName, client.lastName, client.knownAs, client.organisation].flatMap(nameTerms);
  const postcode = client.address.postcode.toLowerCase();
  const places = [...postcode.split(" "), postcode.replaceAll(" ", "")];
  const numbers = client.phones.flatMap((phone) => phoneTerms(phone.number));
  return [...new Set([...words, ...places, ...numbers, client.email])].filter(Boolean);
}

export function toClient(doc: ClientDoc): Client {
  return {
    ...doc,
    id: doc._id,
    displayName: displayName(doc),
    isContactUnchecked: doc.isContactUnchecked === true,
    createdAt: doc.createdAt.toISOString(),
    updatedAt: doc.updatedAt.toISOString(),
  };
}

export function toRow(doc: Pick<ClientDoc, "_id" | keyof typeof ROW_FIELDS>): ClientRow {
  const phone = preferredPhone(doc.phones);
  const { mayEmail, mayText, mayPhone, mayLeaveVoicemail, mayPost, codeWord } = doc.safeContact;
  return {
    id: doc._id,
    displayName: displayName(doc),
    kind: doc.kind,
    email: doc.email,
    phone: phone?.number ?? "",
    safeContact: { mayEmail, mayText, mayPhone, mayLeaveVoicemail, mayPost },
    hasCodeWord: codeWord !== "",
    isContactUnchecked: doc.isContactUnchecked === true,
    tags: doc.tags,
    status: doc.status,
    createdAt: doc.createdAt.toISOString(),
    updatedAt: doc.updatedAt.toISOString(),
  };
}
