import type { Scope } from "@app/server/core/trpc";
import { inTransaction } from "@app/server/core/database";
import { createForm, publishForm } from "@app/server/features/forms/forms.service";
import { createFormLink } from "@app/server/features/submissions/form-links.service";
import type { Case } from "@app/shared/cases";
import { forParty, MEDIATOR_ONLY, type Visibility } from "@app/shared/visibility";
import { aFormContent, aFormInput, aFormPage, aShortText } from "../server/forms.ts";
import { aSubmission } from "../server/submissions.ts";
import type { Secret } from "./random-case.ts";

const content = aFormContent([
  aFormPage("first", [
    aShortText("said", { mapTo: "client.needs" }),
    aShortText("private", { sensitivity: "mediator" }),
    aShortText("safety", { sensitivity: "screening" }),
  ]),
]);

const formIds = new Map<string, string>();
async function formOf(scope: Scope): Promise<string> {
  const known = formIds.get(scope.ownerId);
  if (known) return known;
  const { id, version } = await createForm(scope, aFormInput({ content }));
  await inTransaction(() => publishForm(scope, { id, version }));
  formIds.set(scope.ownerId, id);
  return id;
}

/** What each party answered to a form: for the practice, for its mediators, and for who may read screenings. */
export async function answer(scope: Scope, theCase: Case, name: string): Promise<Secret[]> {
  const formId = await formOf(scope);
  const secrets: Secret[] = [];
  for (const [index, { partyId, clientId }] of theCase.parties.entries()) {
    const asked = { formId, clientId, caseId: theCase.id, days: 30 } as const;
    const link = await inTransaction(() => createFormLink(scope, asked));
    const word = (what: string) => `${name}${what}${index}end`.toLowerCase();
    const answers = { said: word("said"), private: word("private"), safety: word("safety") };
    await aSubmission(scope.ownerId, { link: link.id, answers });
    const kept = (canary: string, kind: Secret["kind"], visibility: Visibility, readers: string[]): Secret => {
      const at = new Date();
      const who = { readers: new Set(readers), shownTo: new Set<string>(), writtenBy: partyId };
      return { canary, kind, visibility, ...who, since: at, changedAt: at };
    };
    secrets.push(
      kept(answers.said, "answer", forParty(partyId), [partyId]),
      kept(answers.private, "answer", { ...MEDIATOR_ONLY, aboutPartyIds: [partyId] }, []),
      kept(answers.safety, "screening", MEDIATOR_ONLY, []),
    );
  }
  return secrets;
}
