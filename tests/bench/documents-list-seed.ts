// node documents-list-seed.ts SIZE...: one practice with so many documents of each size, in the database of DATA_DIR.
import { now } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { createPractice } from "@app/server/features/auth/registration";
import { createClients } from "@app/server/features/clients/clients.service";
import { DocumentModel } from "@app/server/features/documents/documents.model";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { demoCases } from "../../scripts/demo-cases.ts";
import { DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { demoClient } from "../../scripts/demo-people.ts";
import { scopeOfOwner } from "../../scripts/owner-scope.ts";
import { withDatabase } from "../../scripts/with-database.ts";
import { doc, heading, para } from "../support/documents/content.ts";
import { documentsEmail } from "./documents-list-data.ts";

const CLIENTS = 4;
/** As many as the list of the case has, whatever the others are. */
const OF_FIRST = 40;
const BATCH = 500;
const CONTENT = doc(heading(1, "Letter"), ...Array.from({ length: 12 }, () => para("It was proposed. ".repeat(20))));

await withDatabase(async () => {
  for (const size of process.argv.slice(2).map(Number)) {
    const owner = { firstName: "Ines", lastName: "Marchbank", email: documentsEmail(size), password: DEMO_PASSWORD };
    const ownerId = await createPractice(
      { ...owner, practiceName: `Practice of ${size}`, region: "england_wales", mediatorType: "family" },
      { mustBeFirst: false },
    );
    const scope = scopeOfOwner(ownerId, "Ines Marchbank");
    const clients = await createClients(
      scope,
      Array.from({ length: CLIENTS }, (_, index) => demoClient(index)),
    );
    const [first] = await demoCases(scope, clients, { cases: 1, worked: 0 });
    if (!first) throw new Error("the case of the list is missing");
    for (let at = 0; at < size; at += BATCH) {
      const docs = Array.from({ length: Math.min(BATCH, size - at) }, (_, index) => ({
        ownerId,
        caseId: at + index < OF_FIRST ? first.id : newId(),
        name: `Letter ${at + index}`,
        kind: "letter" as const,
        addressee: { kind: "practice" as const, partyId: null },
        privilege: "none" as const,
        visibility: PRACTICE_ONLY,
        content: CONTENT,
        createdAt: now(),
        createdBy: ownerId,
        createdByName: "Ines",
        savedAt: now(),
        savedBy: ownerId,
        savedByName: "Ines",
      }));
      await DocumentModel.create(docs, { ordered: true });
    }
  }
});
