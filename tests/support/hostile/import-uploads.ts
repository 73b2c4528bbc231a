import { newId } from "@app/server/core/ids";
import type { ImportKind } from "@app/shared/import-states";
import type { DataImport, ImportOptions } from "@app/shared/imports";
import type { Api, TestPerson } from "../server/people.ts";
import type { TestApp } from "../server/test-app.ts";

const LIMIT_MS = 75_000;
const POLL_MS = 20;

export type Upload = { status: number; body: string };

/** Sends a file as the page does. */
export async function upload(
  app: TestApp,
  person: Pick<TestPerson, "cookies">,
  content: Uint8Array<ArrayBuffer> | string,
  { id = newId(), kind = "clients", name = "list.csv" }: { id?: string; kind?: ImportKind; name?: string } = {},
): Promise<Upload> {
  const reply = await fetch(`${app.url}/imports?upload=${encodeURIComponent(JSON.stringify({ id, kind, name }))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/octet-stream" },
    body: content,
  });
  return { status: reply.status, body: await reply.text() };
}

/** The id of a file that was taken in. */
export async function uploaded(...args: Parameters<typeof upload>): Promise<string> {
  const { status, body } = await upload(...args);
  const id = /"id":"([\w-]+)"/.exec(body)?.[1];
  if (status !== 201 || !id) throw new Error(`the file was refused: ${status} ${body}`);
  return id;
}

/** Waits until the server has nothing more to do for it. */
export async function settled(api: Api, id: string): Promise<DataImport> {
  const startedAt = performance.now();
  for (;;) {
    const found = await api.imports.get.query({ id });
    if (!["checking", "importing", "undoing"].includes(found.status)) return found;
    if (performance.now() - startedAt > LIMIT_MS) throw new Error(`the import is still ${found.status}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Checks with the suggested columns. */
export async function checked(api: Api, id: string, options: Partial<ImportOptions> = {}): Promise<DataImport> {
  const { columns, duplicates, dateOrder } = await api.imports.get.query({ id });
  await api.imports.check.mutate({ id, columns, duplicates, dateOrder, ...options });
  return settled(api, id);
}

/** Takes a file in, checks it and imports it. */
export async function imported(
  app: TestApp,
  person: Pick<TestPerson, "cookies"> & { api: Api },
  content: Uint8Array<ArrayBuffer> | string,
  { kind = "clients", ...options }: { kind?: ImportKind } & Partial<ImportOptions> = {},
): Promise<DataImport> {
  const id = await uploaded(app, person, content, { kind });
  await checked(person.api, id, options);
  await person.api.imports.start.mutate({ id });
  return settled(person.api, id);
}

/** The numbers of all rows that the report names, in order. */
export async function toldRows(api: Api, id: string): Promise<number[]> {
  const rows: number[] = [];
  for (let page = 1; ; page++) {
    const { items } = await api.imports.listProblems.query({ id, page });
    if (items.length === 0) return [...new Set(rows)];
    rows.push(...items.map(({ row }) => row));
  }
}
