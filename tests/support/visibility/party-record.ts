import type { TestPractice } from "../server/people.ts";
import { pdfText } from "../hostile/pdf-text.ts";
import type { TestApp } from "../server/test-app.ts";

/** All that leaves for a party of a case, as text. */
export async function toldToParty(
  app: TestApp,
  practice: TestPractice,
  caseId: string,
  { partyId, clientId }: { partyId: string; clientId: string },
): Promise<string> {
  const preview = await practice.api.partyView.preview.query({ caseId, partyId });
  const record = await pdfText(app, practice, `/export/clients/${clientId}.pdf`);
  return `${JSON.stringify(preview)} ${record}`.toLowerCase();
}
