// node submit-seed.ts: a practice with published forms in the database of DATA_DIR; prints the two parts of the address of each.
import { createPractice } from "@app/server/features/auth/registration";
import { createForm, publishForm } from "@app/server/features/forms/forms.service";
import { generalAddress } from "@app/server/features/submissions/general-address";
import { contentOf, FORM_TEMPLATES } from "@app/shared/form-templates/form-templates";
import { DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { scopeOfOwner } from "../../scripts/owner-scope.ts";
import { withDatabase } from "../../scripts/with-database.ts";

/** One form takes sixty at once, whoever sends them: so many are needed until the code of both is warm. */
const FORMS = 6;

await withDatabase(async () => {
  const owner = { firstName: "Ines", lastName: "Marchbank", email: "forms@example.org", password: DEMO_PASSWORD };
  const ownerId = await createPractice(
    { ...owner, practiceName: "Practice of forms", region: "england_wales", mediatorType: "family" },
    { mustBeFirst: false },
  );
  const scope = scopeOfOwner(ownerId, "Ines Marchbank");
  const template = FORM_TEMPLATES.find(({ kind }) => kind === "feedback");
  if (!template) throw new Error("there is no such form");
  const places = [];
  for (let index = 0; index < FORMS; index += 1) {
    const { id, version } = await createForm(scope, {
      name: `${template.name} ${index + 1}`,
      kind: template.kind,
      content: contentOf(template, "GBP"),
    });
    await publishForm(scope, { id, version });
    const { address } = await generalAddress(scope, id);
    const [, , formId = "", userId = ""] = new URL(address).pathname.split("/");
    places.push({ formId, userId });
  }
  console.log(JSON.stringify(places));
});
