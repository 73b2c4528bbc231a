// Whom an address of a form belongs to. Whatever is wrong with it, the answer is the same.
import mongoose from "mongoose";
import { LINK_DAYS } from "@app/shared/submission-limits";
import type { FormPlace } from "@app/shared/submissions";
import { DAY_MS } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { defineDueTime, openFor } from "../../core/due-times.ts";
import { TOKEN_LENGTH } from "../../core/ids.ts";
import { notFound, wrongState } from "../../core/visitor-refusals.ts";
import { findPublished, type PublishedForm } from "../forms/form-versions.service.ts";
import { takesFromOutside } from "../subscriptions/subscriptions.service.ts";
import { askedBy } from "./asked-by-links.ts";
import { practiceOfPublicId } from "./form-address.service.ts";
import { type FormLinkDoc, FormLinkModel } from "./form-links.model.ts";
import { leadsOn } from "./link-renewals.ts";
import { type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

export const LINK_MAX_MS = Math.max(...LINK_DAYS) * DAY_MS;

defineDueTime({
  of: "links to forms",
  times: ["FormLink.expiresAt"],
  aheadMs: LINK_MAX_MS,
  bringBack: (latest) =>
    FormLinkModel.updateMany(
      { expiresAt: mongoose.trusted({ $gt: latest }) },
      { $set: { expiresAt: latest } },
    ).setOptions({ anyOwner: true }),
});

export interface OpenPlace {
  form: PublishedForm;
  /** Of one client; null by the general address. */
  link: FormLinkDoc | null;
  /** What was filled in so far; null where nothing was. */
  submission: SubmissionDoc | null;
}

export const deadLink = () => notFound("Form");

/** Throws NOT_FOUND for a pair that is wrong, over, taken back or mixed, always alike. */
export async function openPlace(at: FormPlace): Promise<OpenPlace> {
  const place = await findPlace(at);
  if (!place) throw deadLink();
  return place;
}

/** Null for such a pair. */
export const findPlace = ({ formId, userId }: FormPlace): Promise<OpenPlace | null> =>
  userId.length === TOKEN_LENGTH ? ownPlace(formId, userId) : generalPlace(formId, userId);

async function generalPlace(formId: string, userId: string): Promise<OpenPlace | null> {
  const [form, ownerId] = await Promise.all([findPublished(formId), practiceOfPublicId(userId)]);
  return form && ownerId === form.ownerId ? begun({ form, link: null, submission: null }) : null;
}

/** By the secret of a link, or of what was begun by the general address. */
async function ownPlace(formId: string, token: string): Promise<OpenPlace | null> {
  const hash = hashToken(token);
  const [form, link, resumed] = await Promise.all([
    findPublished(formId),
    FormLinkModel.findOne({ tokenHash: hash, revokedAt: null, expiresAt: openFor(LINK_MAX_MS) })
      .setOptions({ anyOwner: true })
      .lean(),
    SubmissionModel.findOne({ resumeHash: hash }).setOptions({ anyOwner: true }).lean(),
  ]);
  if (!form) return null;
  const belongs = (one: { ownerId: string; formId: string }) =>
    one.ownerId === form.ownerId && one.formId === form.formId;
  if (link && belongs(link)) {
    const submission = await SubmissionModel.findOne({ ownerId: form.ownerId, _id: link.submissionId }).lean();
    // What was sent in is not shown by it any more.
    if (!submission?.submittedAt && !(await leadsOn(link))) return null;
    return begun({ form: submission ? form : await askedBy(link, form), link, submission });
  }
  return resumed && belongs(resumed) ? begun({ form, link: null, submission: resumed }) : null;
}

/** The same to fill it in. PRECONDITION_FAILED, without a reason, where the practice takes nothing now. */
export async function placeToFill(at: FormPlace): Promise<OpenPlace> {
  const place = await openPlace(at);
  await assertTakes(place);
  return place;
}

/** Questions about safety ask nobody's name: by an address that anybody has, nobody could be found to be helped. */
export const needsOwnLink = ({ form, link }: Pick<OpenPlace, "form" | "link">): boolean =>
  form.kind === "screening" && link === null;

export async function assertTakes(place: OpenPlace): Promise<void> {
  const { form } = place;
  if (needsOwnLink(place))
    throw wrongState(
      "These questions need a link of your own. Please phone us, or write to us, and we will send you one.",
    );
  if (!(await takesFromOutside(form.ownerId)))
    throw wrongState("Nothing can be sent by this page at the moment. Please phone us, or write to us.");
}

/** Of an archived form only what was begun goes on; what the practice withdrew does not. */
function begun(place: OpenPlace): OpenPlace | null {
  const { form, submission } = place;
  const isDead = submission ? submission.status === "withdrawn" : form.isArchived;
  return isDead ? null : place;
}
