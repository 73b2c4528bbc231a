// Whoever was shown the address of a link reads by it whatever is saved: what is added to the form since then, and is not
// for the whole practice, is asked by a new link.
import { isForPractice } from "@app/shared/form-readers";
import type { Scope } from "../../core/trpc.ts";
import { getPublished, getVersion, type PublishedForm } from "../forms/form-versions.service.ts";
import { type FormLinkDoc, FormLinkModel } from "./form-links.model.ts";

/** The version that is begun by this link. */
export async function askedBy(
  { shownNumber }: Pick<FormLinkDoc, "shownNumber">,
  newest: PublishedForm,
): Promise<PublishedForm> {
  if (shownNumber === undefined || shownNumber >= newest.number || isForAll(newest)) return newest;
  return getVersion(newest.ownerId, newest.formId, shownNumber);
}

const isForAll = ({ content }: PublishedForm): boolean =>
  content.pages.every(({ fields }) => fields.every((field) => isForPractice(content, field)));

/** Call it before somebody is asked whether they may have the address: what is published meanwhile is not asked by it. */
export async function noteShown({ userId }: Scope, { ownerId, _id, formId }: FormLinkDoc): Promise<void> {
  if (userId === ownerId) return;
  const { number } = await getPublished(ownerId, formId);
  await FormLinkModel.updateOne({ ownerId, _id }, { $min: { shownNumber: number }, $addToSet: { shownTo: userId } });
}
