// node submit-seed.ts: a practice with a published form in the database of DATA_DIR; prints the two parts of its address.
import { createPractice } from "@app/server/features/auth/registration";
import { createForm, publishForm } from "@app/server/features/forms/forms.service";
import { generalAddress } from "@app/server/features/submissions/general-address";
import { contentOf, FORM_TEMPLATES } from "@app/shared/form-templates/form-templates";
import { DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { scopeOfOwner } from "../../scripts/owner-scope.ts";
import { withDatabase } from "../../scripts/with-database.ts";

await withDatabase(async () => {
  const owner = { firstName: "Ines", lastName: "Marchbank", email: "forms@example.org", password: DEMO_PASSWORD };
  const ownerId = await createPractice(
    { ...owner, practiceName: "Practice of forms", region: "england_wales", mediatorType: "family" },
    { mustBeFirst: false },
  );
  const scope = scopeOfOwner(ownerId, "Ines Marchbank");
  const template = FORM_TEMPLATES.find(({ kind }) => kind === "feedback");
  if (!template) throw new Error("there is no such form");
  const { id, version } = await createForm(scope, {
    name: template.name,
    kind: template.kind,
    content: contentOf(template, "GBP"),
  });
  await publishForm(scope, { id, version });
  const { address } = await generalAddress(scope, id);
  const [, , formId = "", userId = ""] = new URL(address).pathname.split("/");
  console.log(JSON.stringify({ formId, userId }));
});
