import type { Permission } from "@app/shared/access";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { Target } from "./access-fixture.ts";

/** A route outside the router: its address, and who may come to it. */
export interface RawFixture {
  method: "GET" | "POST";
  permissions: Permission[];
  address: (target: Target) => string;
  body?: string;
  stranger: "missing" | "own";
}

const upload = ({ clientId }: Target) =>
  encodeURIComponent(JSON.stringify({ clientId, caseId: null, name: "new.txt", visibility: PRACTICE_ONLY }));

/** Every route of a `*.http.ts` that is not open to the public. */
export const RAW_ACCESS: Record<string, RawFixture> = {
  "GET /export/clients.csv": {
    method: "GET",
    permissions: ["clients.read", "data.export"],
    address: () => "/export/clients.csv",
    stranger: "own",
  },
  "GET /export/contacts.csv": {
    method: "GET",
    permissions: ["clients.read", "data.export"],
    address: () => "/export/contacts.csv",
    stranger: "own",
  },
  "GET /export/clients/:id.pdf": {
    method: "GET",
    permissions: ["clients.read"],
    address: ({ clientId }) => `/export/clients/${clientId}.pdf`,
    stranger: "missing",
  },
  "GET /export/certificates/:id.pdf": {
    method: "GET",
    permissions: ["clients.read"],
    address: ({ certificateId }) => `/export/certificates/${certificateId}.pdf`,
    stranger: "missing",
  },
  "GET /export/imports/:id.csv": {
    method: "GET",
    permissions: ["data.export"],
    address: ({ importId }) => `/export/imports/${importId}.csv`,
    stranger: "missing",
  },
  "GET /export/imports/:id/rows.csv": {
    method: "GET",
    permissions: ["data.export"],
    address: ({ importId }) => `/export/imports/${importId}/rows.csv`,
    stranger: "missing",
  },
  "POST /imports": {
    method: "POST",
    permissions: ["clients.write", "data.export"],
    address: () => `/imports?upload=${encodeURIComponent(JSON.stringify({ kind: "clients", name: "new.csv" }))}`,
    body: "Surname\nEllery\n",
    stranger: "own",
  },
  "POST /files": {
    method: "POST",
    permissions: ["clients.read", "documents.manage"],
    address: (target) => `/files?upload=${upload(target)}`,
    body: "What was said",
    stranger: "missing",
  },
  "GET /files/:id": {
    method: "GET",
    permissions: ["clients.read"],
    address: ({ fileId }) => `/files/${fileId}`,
    stranger: "missing",
  },
};
