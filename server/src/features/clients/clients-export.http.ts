import type { z } from "zod";
import { displayName, listClientsSchema, preferredPhone } from "@app/shared/clients";
import { dayIn } from "@app/shared/days";
import { listExport } from "../../core/list-export.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { ClientModel, toClient } from "./clients.model.ts";
import { clientFilter, clientSort } from "./clients.service.ts";

const BATCH_SIZE = 200;
const FILTER = listClientsSchema.omit({ page: true });
const HEADINGS = [
  "Name",
  "Kind",
  "Email",
  "Phone",
  "Postcode",
  "May email",
  "May text",
  "May phone",
  "May leave voicemail",
  "May post",
  "Tags",
  "Status",
  "Added",
];

/** GET /export/clients.csv */
export const clientsExport = listExport({ things: "clients", filter: FILTER, headings: HEADINGS, rows });

async function* rows(scope: Scope, filter: z.infer<typeof FILTER>): AsyncGenerator<string[]> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const docs = ClientModel.find(clientFilter(scope, filter))
    .sort(clientSort(filter))
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
  for await (const doc of docs) yield cellsOf(toClient(doc), timeZone);
}

const yesNo = (flag: boolean) => (flag ? "yes" : "no");

function cellsOf(client: ReturnType<typeof toClient>, timeZone: string): string[] {
  const { safeContact: safe } = client;
  const permissions = [safe.mayEmail, safe.mayText, safe.mayPhone, safe.mayLeaveVoicemail, safe.mayPost].map(yesNo);
  const postcode = client.isAddressConfidential ? "kept confidential" : client.address.postcode;
  return [
    displayName(client),
    client.kind,
    client.email,
    preferredPhone(client.phones)?.number ?? "",
    postcode,
    ...permissions,
    client.tags.join("; "),
    client.status,
    dayIn(timeZone, new Date(client.createdAt)),
  ];
}
