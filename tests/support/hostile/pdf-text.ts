import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { TestPerson } from "../server/people.ts";
import type { TestApp } from "../server/test-app.ts";

/** The words of a PDF that this person downloads, in small letters, without the breaks of its lines. */
export async function pdfText(app: TestApp, person: TestPerson, address: string): Promise<string> {
  const response = await fetch(`${app.url}${address}`, { headers: { cookie: person.cookies() } });
  // The deadline of a busy machine: what was asked for may be had in a moment.
  if (response.status === 503) return pdfText(app, person, address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return wordsOfPdf(new Uint8Array(await response.arrayBuffer()));
}

export async function wordsOfPdf(data: Uint8Array): Promise<string> {
  const pdf = await getDocument({ data, verbosity: 0 }).promise;
  const pages = Array.from({ length: pdf.numPages }, async (_, index) => {
    const content = await (await pdf.getPage(index + 1)).getTextContent();
    return content.items.map((item) => ("str" in item ? item.str : "")).join("");
  });
  return (await Promise.all(pages)).join("").toLowerCase();
}
