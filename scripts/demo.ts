// npm run demo [-- --size large]: an invented practice with people to look at, beside whatever is there already.
import { parseArgs } from "node:util";
import { createClients, setClientStatus } from "@app/server/features/clients/clients.service";
import { demoClient } from "./demo-people.ts";
import { demoPractice } from "./demo-practice.ts";
import { DEMO_EMAIL, DEMO_PASSWORD } from "./demo-account.ts";
import { withDatabase } from "./with-database.ts";

const SIZES = { small: 40, large: 10_000 };
const BATCH = 500;
const ARCHIVED = 3;

const { values } = parseArgs({ options: { size: { type: "string", default: "small" } } });
if (values.size !== "small" && values.size !== "large") {
  console.error("--size is small or large");
  process.exit(1);
}
const size = SIZES[values.size];

await withDatabase(async () => {
  const scope = await demoPractice();
  if (!scope) {
    console.log(
      `The demonstration practice is there already. Sign in as ${DEMO_EMAIL} with the password: ${DEMO_PASSWORD}`,
    );
    return;
  }
  for (let start = 0; start < size; start += BATCH) {
    const people = Array.from({ length: Math.min(BATCH, size - start) }, (_, index) => demoClient(start + index));
    const created = await createClients(scope, people);
    if (start === 0)
      await setClientStatus(scope, { ids: created.slice(-ARCHIVED).map((client) => client.id), status: "archived" });
  }
  console.log(`${size} clients are in the demonstration practice Quillfeather Mediation.`);
  console.log(`Sign in as ${DEMO_EMAIL} with the password: ${DEMO_PASSWORD}`);
});
