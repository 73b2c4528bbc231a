// What of answers was taken over into the record of the client whom they were given to, and how it goes back from there.
import { standing, withBefore } from "@app/shared/answer-proposals";
import type { Client, CreateClient } from "@app/shared/clients";
import type { Field } from "@app/shared/form-fields";
import { type ClientTarget, TARGETS } from "@app/shared/form-targets";
import { forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient, updateClient } from "../clients/clients.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { assertSees, readsAnswers } from "./answer-readers.ts";
import { mappedFields } from "./proposals.ts";
import { contentOf, type Decided, type SubmissionDoc } from "./submissions.model.ts";

type TakenOver = Decided & { target: ClientTarget };

/** Gives, in words, what went back. Throws where something was taken over and nobody says that it is to go back. */
export async function putBackTaken(scope: Scope, doc: SubmissionDoc, putsBack: boolean): Promise<string> {
  const taken = await takenOver(scope, doc);
  if (taken.length === 0 || !doc.clientId) return "";
  if (!putsBack)
    throw wrongState(
      `Some of these answers were taken over into this client’s record (${namesOf(taken)}). Say that this is to be put back, and they can be taken back.`,
    );
  const client = await getClient(scope, doc.clientId);
  // The last first: what was put in the place of another goes before that.
  const { fields, back } = taken.toReversed().reduce(goBack, { fields: fieldsOfClient(client), back: [] });
  if (back.length === 0) return "";
  await updateClient(scope, { id: client.id, version: client.version, client: fields });
  return namesOf(back.toReversed());
}

/** FORBIDDEN where this person may not read something of it: they cannot say whether it is to go back. */
async function takenOver(scope: Scope, doc: SubmissionDoc): Promise<TakenOver[]> {
  const { content } = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
  const targets = new Map(mappedFields(content).map(({ id, target }) => [id, target]));
  const taken = contentOf(doc).decided.flatMap((one) => {
    const target = one.decision === "rejected" ? undefined : targets.get(one.fieldId);
    return target ? [{ ...one, target }] : [];
  });
  const reads = readsAnswers(scope, await assertSees(scope, doc), doc);
  const isHidden = (field: Field) => field.type !== "statement" && !reads(content, field);
  const hidden = content.pages.flatMap(({ fields }) => fields.filter(isHidden).map(({ id }) => id));
  if (taken.some(({ fieldId }) => hidden.includes(fieldId)))
    throw forbidden(
      "Something of these answers that you may not read was taken over. Ask the owner to take them back.",
    );
  return taken;
}

interface GoingBack {
  fields: CreateClient;
  back: TakenOver[];
}

/** What somebody has changed since stays as it is. */
function goBack({ fields, back }: GoingBack, one: TakenOver): GoingBack {
  if (standing(fields, one.target) !== one.after || one.after === one.before) return { fields, back };
  return { fields: withBefore(fields, one.target, one), back: [...back, one] };
}

const namesOf = (taken: readonly TakenOver[]): string =>
  taken.map(({ target }) => TARGETS[target].name.replace(/^Client: /, "")).join(", ");

/** What of a client a person enters, without what is stored beside it. */
export function fieldsOfClient(client: Client): CreateClient {
  const { kind, title, firstName, lastName, knownAs, organisation, dateOfBirth, email, phones } = client;
  const { address, isAddressConfidential, safeContact, needs, tags } = client;
  const named = { kind, title, firstName, lastName, knownAs, organisation, dateOfBirth, email, phones };
  return { ...named, address, isAddressConfidential, safeContact, needs, tags };
}
