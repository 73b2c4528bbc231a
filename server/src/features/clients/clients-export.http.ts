import { Router, type Request, type Response } from "express";
import { can } from "@app/shared/access";
import { displayName, listClientsSchema } from "@app/shared/clients";
import { csvLine } from "../../core/csv.ts";
import { refusal } from "../../core/http-security.ts";
import type { Context } from "../../core/trpc.ts";
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
export function clientsExport(createContext: (req: Request, res: Response) => Promise<Context>): Router {
  const routes = Router();
  routes.get("/clients.csv", async (req, res) => {
    const ctx = await createContext(req, res);
    const { actor } = ctx;
    if (!actor || actor.isSecondFactorPending)
      return void res.status(401).json(refusal("UNAUTHORIZED", 401, "You are not signed in."));
    if (!actor.user.hasAccess)
      return void res.status(402).json(refusal("PAYMENT_REQUIRED", 402, "The practice has no active subscription."));
    if (!can(actor.scope, "clients.read") || !can(actor.scope, "data.export")) {
      return void res
        .status(403)
        .json(refusal("FORBIDDEN", 403, "You do not have permission to export data. Ask the owner of the practice."));
    }
    const { descending, ...query } = req.query;
    const input = listClientsSchema.omit({ page: true }).safeParse({ ...query, isDescending: descending === "true" });
    if (!input.success) return void res.status(400).json(refusal("BAD_REQUEST", 400, "This filter cannot be used."));
    ctx.log.info({ audit: "clients.export", filter: { ...input.data, search: undefined } }, "clients exported");
    res.set({ "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": 'attachment; filename="clients.csv"' });
    res.write(BYTE_ORDER_MARK + csvLine(HEADINGS));
    const docs = ClientModel.find(clientFilter(actor.scope, input.data))
      .sort(clientSort(input.data))
      .lean()
      .cursor({ batchSize: BATCH_SIZE });
    for await (const doc of docs) {
      if (res.destroyed) break;
      if (!res.write(csvLine(cellsOf(toClient(doc)))))
        await new Promise((resolve) => res.once("drain", resolve).once("close", resolve));
    }
    res.end();
  });
  return routes;
}

const yesNo = (flag: boolean) => (flag ? "yes" : "no");

function cellsOf(client: ReturnType<typeof toClient>): string[] {
  const { safeContact: safe } = client;
  const phone = client.phones.find((each) => each.isPreferred) ?? client.phones[0];
  const permissions = [safe.mayEmail, safe.mayText, safe.mayPhone, safe.mayLeaveVoicemail, safe.mayPost].map(yesNo);
  const postcode = client.isAddressConfidential ? "kept confidential" : client.address.postcode;
  return [
    displayName(client),
    client.kind,
    client.email,
    phone?.number ?? "",
    postcode,
    ...permissions,
    client.tags.join("; "),
    client.status,
    client.createdAt.slice(0, 10),
  ];
}
