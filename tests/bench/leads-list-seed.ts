// node leads-list-seed.ts SIZE...: one practice with so many leads of each size, in the database of DATA_DIR.
import { createPractice } from "@app/server/features/auth/registration";
import { DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { demoLeads } from "../../scripts/demo-leads.ts";
import { scopeOfOwner } from "../../scripts/owner-scope.ts";
import { withDatabase } from "../../scripts/with-database.ts";
import { leadsEmail } from "./leads-list-data.ts";

await withDatabase(async () => {
  for (const size of process.argv.slice(2).map(Number)) {
    const owner = { firstName: "Ines", lastName: "Marchbank", email: leadsEmail(size), password: DEMO_PASSWORD };
    const ownerId = await createPractice(
      { ...owner, practiceName: `Practice of ${size}`, region: "england_wales", mediatorType: "family" },
      { mustBeFirst: false },
    );
    await demoLeads(scopeOfOwner(ownerId, "Ines Marchbank"), [], size);
  }
});
