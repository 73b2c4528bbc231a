// What answers propose to change of the client, each put beside what is there now.
import { isClientTarget, isWay, proposedText, standing } from "@app/shared/answer-proposals";
import type { Client } from "@app/shared/clients";
import { answerTo } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { type ClientTarget, TARGETS } from "@app/shared/form-targets";
import type { Proposal } from "@app/shared/submissions";
import type { SubmissionContent } from "./submissions.model.ts";

interface Proposing {
  content: FormContent;
  said: SubmissionContent;
  client: Client;
  /** Questions whose answers this person may read. */
  readable: ReadonlySet<string>;
}

/** The questions that say something of the client, in order. */
export const mappedFields = ({ pages }: FormContent): { id: string; target: ClientTarget }[] =>
  pages.flatMap(({ fields }) =>
    fields.flatMap((field) => {
      const target = "mapTo" in field ? field.mapTo : null;
      return isClientTarget(target) ? [{ id: field.id, target }] : [];
    }),
  );

/** Whether they say that a way is not safe which the client's record still allows, and nobody has decided on it. */
export const isTightened = (proposing: Omit<Proposing, "readable">): boolean => tightenedBy(proposing).length > 0;

/** By which questions. */
export const tightenedBy = ({ content, said, client }: Omit<Proposing, "readable">): string[] =>
  proposalsOf({ content, said, client, readable: new Set(mappedFields(content).map(({ id }) => id)) })
    .filter(({ target, decision, after }) => decision === "pending" && isWay(target) && after === "No")
    .map(({ fieldId }) => fieldId);

/** What is the same already needs no decision. */
export function proposalsOf({ content, said, client, readable }: Proposing): Omit<Proposal, "isForFew">[] {
  return mappedFields(content).flatMap(({ id: fieldId, target }): Omit<Proposal, "isForFew">[] => {
    if (!readable.has(fieldId)) return [];
    const named = { fieldId, target, targetName: TARGETS[target].name.replace(/^Client: /, "") };
    const decided = said.decided.find((one) => one.fieldId === fieldId);
    if (decided) {
      const { before, after, decision, byName, at } = decided;
      return [{ ...named, before, after, decision, byName, at }];
    }
    const after = proposedText(target, answerTo(said.answers, fieldId));
    const before = standing(client, target);
    if (after === null || after === before) return [];
    return [{ ...named, before, after, decision: "pending", byName: "", at: null }];
  });
}
