// What people were asked to fill in and what they answered, in every state that it can have.
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import type { SubmissionStatus } from "@app/shared/submission-states";
import { hashToken } from "@app/server/core/crypto";
import { DAY_MS, HOUR_MS, now } from "@app/server/core/clock";
import { newId, newToken } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { type FormLinkDoc, FormLinkModel, sealToken } from "@app/server/features/submissions/form-links.model";
import { NOTHING_SAID, sealContent, SubmissionModel } from "@app/server/features/submissions/submissions.model";
import type { DemoForm } from "./demo-forms.ts";
import { type Answering, firstHalf, givenAnswers, inOnesOwnName } from "./demo-given-answers.ts";

const BATCH = 500;
const LINK_MS = 30 * DAY_MS;
const PERIOD_DAYS = { few: 90, many: 1095 };
const FEW = 100;
/** So many different people answer each form; whoever comes later says the same. */
const VOICES = 40;

/** What became of it; null where nothing was typed. */
export type DemoState = SubmissionStatus | null;
const STATES: DemoState[] = ["submitted", "processed", "under_review", "processed", "in_progress", "processed", null];

export interface Asked {
  form: DemoForm;
  who: Answering;
  clientId: string | null;
  caseId: string | null;
  partyId: string | null;
  state: DemoState;
  createdAt: Date;
}

/** Adds so many forms that were filled in or begun, spread over three months where they are few, else three years. */
export async function demoAnswers(
  scope: Scope,
  { forms, cases, clients }: { forms: readonly DemoForm[]; cases: readonly Case[]; clients: readonly Client[] },
  count: number,
): Promise<void> {
  const people = new Map(clients.map((client) => [client.id, client]));
  const parties = cases.flatMap(({ id, parties: of }) =>
    of.map(({ partyId, clientId }) => ({ id, partyId, clientId })),
  );
  const sent = forms.filter(({ kind }) => kind !== "lead");
  const periodMs = (count <= FEW ? PERIOD_DAYS.few : PERIOD_DAYS.many) * DAY_MS;
  const said = voices();
  for (let start = 0; start < count; start += BATCH) {
    const asked = Array.from({ length: Math.min(BATCH, count - start) }, (_, at): Asked[] => {
      const index = start + at;
      const [form, party] = [sent[index % sent.length], parties[Math.floor(index / sent.length) % parties.length]];
      const client = people.get(party?.clientId ?? "");
      if (!form || !party || !client) return [];
      const createdAt = new Date(now().getTime() - HOUR_MS - ((index + 0.5) / count) * periodMs);
      const place = { clientId: client.id, caseId: party.id, partyId: party.partyId };
      return [{ form, who: { ...client, index }, ...place, state: STATES[index % STATES.length] ?? null, createdAt }];
    }).flat();
    await storeAsked(scope, asked, said);
  }
}

/** Each with the link by which it was asked for; gives the links, in the same order. */
export async function storeAsked(scope: Scope, asked: readonly Asked[], said = voices()): Promise<FormLinkDoc[]> {
  const links = asked.map((one) => linkOf(scope, one));
  await FormLinkModel.insertMany(links);
  await SubmissionModel.insertMany(
    asked.flatMap((one, at) => {
      const link = links[at];
      return link && one.state !== null ? [submissionOf(scope.ownerId, one, { link, said })] : [];
    }),
  );
  return links;
}

/** Without a link: by the general address of a form. */
export const storeFromOutside = (scope: Scope, asked: readonly (Asked & { leadId?: string; isSuspect?: boolean })[]) =>
  SubmissionModel.insertMany(
    asked.map(({ leadId = null, isSuspect = false, ...one }) => ({
      ...submissionOf(scope.ownerId, one, { link: null, said: voices() }),
      isEnquiry: one.form.kind === "lead",
      leadId,
      isSuspect,
    })),
  );

function linkOf(scope: Scope, { form, clientId, caseId, partyId, createdAt, state }: Asked): FormLinkDoc {
  const _id = newId();
  const token = newToken();
  return {
    _id,
    ownerId: scope.ownerId,
    formId: form.id,
    clientId: clientId ?? "",
    caseId,
    partyId,
    tokenHash: hashToken(token),
    tokenEnc: sealToken(scope.ownerId, _id, token),
    expiresAt: new Date(createdAt.getTime() + LINK_MS),
    revokedAt: null,
    openedAt: state === null ? null : new Date(createdAt.getTime() + HOUR_MS / 2),
    mails: [],
    task: "",
    submissionId: newId(),
    createdBy: scope.userId,
    createdByName: scope.userName,
    createdAt,
  };
}

interface By {
  link: FormLinkDoc | null;
  said: ReturnType<typeof voices>;
}

function submissionOf(ownerId: string, asked: Asked, { link, said }: By) {
  const { form, clientId, caseId, partyId, createdAt, state } = asked;
  const _id = link?.submissionId ?? newId();
  const isBegun = state === "in_progress";
  const whole = said(form, asked.who);
  const half = firstHalf(form.content, whole);
  const savedAt = new Date(Math.min(createdAt.getTime() + HOUR_MS, now().getTime()));
  return {
    _id,
    ownerId,
    formId: form.id,
    formNumber: 1,
    clientId,
    caseId,
    partyId,
    linkId: link?._id ?? null,
    status: state ?? "submitted",
    revision: 2,
    pageId: isBegun ? half.pageId : null,
    contentEnc: sealContent({ ownerId, _id }, { ...NOTHING_SAID, answers: isBegun ? half.answers : whole }),
    sendingId: isBegun ? null : newId(),
    startedAt: createdAt,
    savedAt,
    submittedAt: isBegun ? null : savedAt,
  };
}

/** What is answered to each form, kept, because checking thousands of forms takes long. */
export function voices() {
  const kept = new Map<string, ReturnType<typeof givenAnswers>>();
  return ({ id, content }: DemoForm, who: Answering) => {
    const key = `${id} ${who.index % VOICES}`;
    const known = kept.get(key);
    if (known) return inOnesOwnName(content, known, who);
    const answers = givenAnswers(content, who);
    kept.set(key, answers);
    return answers;
  };
}
