// One form in each state that a link or its answers can have, and what came by the general address of a form.
import type { Case } from "@app/shared/cases";
import { type Client, safeNow } from "@app/shared/clients";
import { DAY_MS, HOUR_MS, now } from "@app/server/core/clock";
import { inTransaction } from "@app/server/core/database";
import type { Scope } from "@app/server/core/trpc";
import { LeadModel } from "@app/server/features/leads/leads.model";
import { FormLinkModel, type FormLinkDoc } from "@app/server/features/submissions/form-links.model";
import { remindOfFormLink, sendFormLink } from "@app/server/features/submissions/link-letters.service";
import { decideProposal } from "@app/server/features/submissions/review.service";
import { getSubmission } from "@app/server/features/submissions/submissions.service";
import { TRPCError } from "@trpc/server";
import { type Asked, type DemoState, storeAsked, storeFromOutside } from "./demo-answers.ts";
import type { DemoForm } from "./demo-forms.ts";

interface Given {
  forms: readonly DemoForm[];
  cases: readonly Case[];
  clients: readonly Client[];
}

type After = (scope: Scope, link: FormLinkDoc) => Promise<unknown>;
interface Step {
  state: DemoState;
  daysAgo: number;
  /** What is done with the link, or with what came by it. */
  after?: After;
}

const ENQUIRIES_MAX = 30;
const leaves =
  (state: Partial<FormLinkDoc>): After =>
  ({ ownerId }, { _id }) =>
    FormLinkModel.updateOne({ ownerId, _id }, { $set: state });

const STEPS: Step[] = [
  // Those that leave by mail come first: they are for people who may be mailed.
  { state: null, daysAgo: 2, after: sent },
  { state: "in_progress", daysAgo: 9, after: sentAndReminded },
  { state: null, daysAgo: 1, after: leaves({ openedAt: null }) },
  { state: null, daysAgo: 4 },
  { state: "in_progress", daysAgo: 5 },
  { state: "submitted", daysAgo: 1 },
  { state: "under_review", daysAgo: 3 },
  { state: "processed", daysAgo: 12, after: decided },
  { state: "withdrawn", daysAgo: 15 },
  { state: null, daysAgo: 40 },
  { state: null, daysAgo: 6, after: leaves({ openedAt: null, revokedAt: now() }) },
];

/** Each to another party of the cases that are worked on. */
export async function demoQuestionnaires(scope: Scope, { forms, cases, clients }: Given): Promise<void> {
  const people = new Map(clients.map((client) => [client.id, client]));
  const [intake, ...others] = forms.filter(({ kind }) => kind === "intake");
  const lead = forms.find(({ kind }) => kind === "lead");
  if (!intake || !lead) throw new Error("the demonstration has no such forms");
  const parties = cases.flatMap(({ id, parties: of }) =>
    of.slice(0, 1).map(({ partyId, clientId }) => ({ caseId: id, partyId, clientId })),
  );
  const isMailed = ({ clientId }: { clientId: string }): boolean => {
    const client = people.get(clientId);
    return client !== undefined && client.email !== "" && safeNow(client).mayEmail;
  };
  const mailedFirst = [...parties.filter(isMailed), ...parties.filter((party) => !isMailed(party))];
  for (const [index, { state, daysAgo, after }] of STEPS.entries()) {
    const party = mailedFirst[index];
    const client = people.get(party?.clientId ?? "");
    if (!party || !client) continue;
    const createdAt = new Date(now().getTime() - daysAgo * DAY_MS);
    const [link] = await storeAsked(scope, [{ form: intake, who: { ...client, index }, ...party, state, createdAt }]);
    if (link && after) await after(scope, link);
  }
  await fromOutside(scope, [others[0] ?? intake, ...forms.filter(({ kind }) => kind === "feedback")]);
  await enquiries(scope, lead);
}

/** What may not leave becomes a task, or is refused here as anywhere. */
async function sent(scope: Scope, { _id: id }: FormLinkDoc): Promise<void> {
  try {
    await inTransaction(() => sendFormLink(scope, { id, words: "" }));
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
  }
}

async function sentAndReminded(scope: Scope, link: FormLinkDoc): Promise<void> {
  await sent(scope, link);
  try {
    await inTransaction(() => remindOfFormLink(scope, { id: link._id, words: "" }));
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
  }
}

/** The first that they propose is taken over, the next is not, and one waits. */
async function decided(scope: Scope, { submissionId: id }: FormLinkDoc): Promise<void> {
  for (const decision of ["accepted", "rejected"] as const) {
    const { proposals, version, clientVersion } = await getSubmission(scope, id);
    const proposal = proposals.find((one) => one.decision === "pending" && one.target !== "client.name");
    if (!proposal || clientVersion === null) return;
    const { fieldId } = proposal;
    await inTransaction(() => decideProposal(scope, { id, version, clientVersion, fieldId, decision, text: "" }));
  }
}

const NOBODY = { clientId: null, caseId: null, partyId: null };
const somebody = (index: number) => ({
  firstName: "Marigold",
  lastName: "Tench",
  email: "",
  dateOfBirth: "" as const,
  index,
});

/** By the general address: whose they are somebody says. */
const fromOutside = (scope: Scope, forms: readonly DemoForm[]) =>
  storeFromOutside(
    scope,
    forms.map((form, index): Asked => {
      const createdAt = new Date(now().getTime() - (index + 1) * 20 * HOUR_MS);
      return { form, who: somebody(index), ...NOBODY, state: "submitted", createdAt };
    }),
  );

/** What the leads said who came by the form, and one that looks like spam. */
async function enquiries(scope: Scope, form: DemoForm): Promise<void> {
  const leads = await LeadModel.find({ ownerId: scope.ownerId, channel: "form" })
    .sort({ createdAt: -1 })
    .limit(ENQUIRIES_MAX)
    .lean();
  const asked = leads.map(({ _id, firstName, lastName, email, createdAt }, index) => {
    const who = { firstName, lastName, email, dateOfBirth: "" as const, index };
    const at = new Date(createdAt.getTime() - HOUR_MS);
    return { form, who, ...NOBODY, state: "submitted" as const, createdAt: at, leadId: _id };
  });
  const spam = {
    form,
    who: somebody(3),
    ...NOBODY,
    state: "submitted" as const,
    createdAt: new Date(now().getTime() - DAY_MS),
  };
  await storeFromOutside(scope, [...asked, { ...spam, isSuspect: true }]);
}
