import { TRPCError } from "@trpc/server";
import { displayName, listClientsSchema, preferredPhone } from "@app/shared/clients";
import { dayIn } from "@app/shared/days";
import { csvLine } from "../../core/csv.ts";
import { sendLines } from "../../core/csv-answer.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { ClientModel, toClient } from "./clients.model.ts";
import { clientFilter, clientSort } from "./clients.service.ts";

const BATCH_SIZE = 200;
const BYTE_ORDER_MARK = "\uFEFF";
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

/** GET /export/clients.csv: exactly the clients that the list shows for the same filter, in its order. */
export const clientsExport: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "data.export"],
  asksAgain: true,
  async answer(asked) {
    const { req, scope, log } = asked;
    const { descending, ...query } = req.query;
    const input = listClientsSchema.omit({ page: true }).safeParse({ ...query, isDescending: descending === "true" });
    if (!input.success) throw new TRPCError({ code: "BAD_REQUEST", message: "This filter cannot be used." });
    log.info({ event: "clients exported", filter: { ...input.data, search: undefined } }, "audit");
    await sendLines(asked, "clients.csv", linesOf(scope, input.data));
  },
};

async function* linesOf(scope: Scope, input: Parameters<typeof clientFilter>[1]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEADINGS);
  const timeZone = await practiceTimeZone(scope.ownerId);
  const docs = ClientModel.find(clientFilter(scope, input))
    .sort(clientSort(input))
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
  for await (const doc of docs) yield csvLine(cellsOf(toClient(doc), timeZone));
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
