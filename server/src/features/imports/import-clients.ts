import { type CreateClient, createClientSchema, DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { mailboxKey } from "@app/shared/email-address";
import { foldText } from "@app/shared/text";
import type { Scope } from "../../core/trpc.ts";
import { clientTwins, importClients } from "../clients/clients-import.service.ts";
import { assertNobodysMailboxes, ownMailboxes } from "../users/email-connection.service.ts";
import { partsOf } from "../../core/cell-values.ts";
import { type Candidate, importerOf, OWN_ADDRESS, type Resolved, type RowKey } from "./importer.ts";
import { fieldOfPerson, namesOf, phoneKeys, phonesOf, placeOf } from "./person-cells.ts";
import { plainly, type RowReader } from "./row-reader.ts";

const KINDS = plainly(["person", "organisation"] as const);

export const clientImporter = importerOf<CreateClient, CreateClient>({
  read: readClient,
  keysOf: clientKeys,
  resolve: compareClients,
  async store(scope, inputs) {
    await assertNobodysMailboxes(
      scope.ownerId,
      inputs.map(({ email }) => email),
    );
    return importClients(scope, inputs);
  },
});

function readClient(reader: RowReader): CreateClient | null {
  const organisation = reader.text("organisation");
  const names = namesOf(reader);
  const isNameless = !names.firstName && !names.lastName;
  const kind = reader.choice("kind", KINDS, organisation && isNameless ? "organisation" : "person");
  // The product's own export has one column for either name.
  const isNamedAsWhole = kind === "organisation" && !organisation;
  const client: CreateClient = {
    ...(isNamedAsWhole ? { firstName: "", lastName: "" } : names),
    kind,
    title: reader.text("title"),
    knownAs: reader.text("knownAs"),
    organisation: isNamedAsWhole ? reader.text("fullName") : organisation,
    dateOfBirth: reader.day("dateOfBirth"),
    email: reader.text("email"),
    phones: phonesOf(reader),
    address: placeOf(reader),
    isAddressConfidential: reader.flag("isAddressConfidential", false),
    safeContact: safeContactOf(reader),
    needs: reader.lines("needs"),
    tags: [...new Set(partsOf(reader.text("tags")))],
  };
  return reader.parse(createClientSchema, client, fieldOfPerson(reader));
}

function safeContactOf(reader: RowReader): CreateClient["safeContact"] {
  return {
    mayEmail: reader.flag("mayEmail", DEFAULT_SAFE_CONTACT.mayEmail),
    mayText: reader.flag("mayText", DEFAULT_SAFE_CONTACT.mayText),
    mayPhone: reader.flag("mayPhone", DEFAULT_SAFE_CONTACT.mayPhone),
    mayLeaveVoicemail: reader.flag("mayLeaveVoicemail", DEFAULT_SAFE_CONTACT.mayLeaveVoicemail),
    mayPost: reader.flag("mayPost", DEFAULT_SAFE_CONTACT.mayPost),
    safeTimes: reader.text("safeTimes"),
    codeWord: reader.text("codeWord"),
    note: reader.lines("safetyNote"),
  };
}

type Reachable = Pick<
  CreateClient,
  "kind" | "firstName" | "lastName" | "organisation" | "email" | "phones" | "dateOfBirth"
>;

/** The same email, phone, or name and birth date: then two rows are likely one person. */
export function clientKeys({
  kind,
  firstName,
  lastName,
  organisation,
  email,
  phones,
  dateOfBirth,
}: Reachable): RowKey[] {
  const keys: RowKey[] = [];
  if (email) keys.push({ key: `e:${email}`, field: "email", what: "the same email" });
  for (const key of phoneKeys(phones)) keys.push({ key: `p:${key}`, field: "phone", what: "the same phone number" });
  const name = foldText(`${firstName} ${lastName}`);
  if (dateOfBirth)
    keys.push({ key: `b:${dateOfBirth} ${name}`, field: "dateOfBirth", what: "the same name and birth date" });
  if (kind === "organisation")
    keys.push({ key: `o:${foldText(organisation)}`, field: "organisation", what: "the same name" });
  return keys;
}

async function compareClients(scope: Scope, candidates: Candidate<CreateClient>[]): Promise<Resolved<CreateClient>[]> {
  const twins = await clientTwins(
    scope,
    candidates.map(({ draft }) => draft),
  );
  const stored = new Map<string, { id: string; name: string }>();
  for (const twin of twins)
    for (const { key } of clientKeys(twin)) if (!stored.has(key)) stored.set(key, { id: twin._id, name: twin.name });
  const own = await ownMailboxes(scope.ownerId);
  return candidates.map(({ draft }) => {
    if (draft.email && own.has(mailboxKey(draft.email))) return { kind: "bad", problem: OWN_ADDRESS };
    const same = clientKeys(draft).find(({ key }) => stored.has(key));
    if (!same) return { kind: "ready", input: draft };
    const problem = {
      field: same.field,
      message: `A client of the practice has ${same.what}.`,
      twin: stored.get(same.key),
    };
    return { kind: "duplicate", input: draft, problem };
  });
}
