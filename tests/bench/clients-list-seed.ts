// node clients-list-seed.ts SIZE...: one practice of each size, in the database of DATA_DIR.
import { createPractice } from "@app/server/features/auth/registration";
import { createClients } from "@app/server/features/clients/clients.service";
import { DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { demoClient } from "../../scripts/demo-people.ts";
import { withDatabase } from "../../scripts/with-database.ts";
import { seedEmail } from "./clients-list-data.ts";
import { scopeOfOwner } from "../../scripts/owner-scope.ts";

const BATCH = 1000;

await withDatabase(async () => {
  for (const size of process.argv.slice(2).map(Number)) {
    const owner = { firstName: "Ines", lastName: "Marchbank", email: seedEmail(size), password: DEMO_PASSWORD };
    const ownerId = await createPractice(
      { ...owner, practiceName: `Practice of ${size}`, region: "england_wales", mediatorType: "family" },
      { mustBeFirst: false },
    );
    const scope = scopeOfOwner(ownerId, "Ines Marchbank");
    for (let start = 0; start < size; start += BATCH) {
      await createClients(
        scope,
        Array.from({ length: BATCH }, (_, index) => demoClient(start + index)),
      );
    }
  }
});
