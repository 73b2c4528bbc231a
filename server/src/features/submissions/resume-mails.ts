// The link that leads back to where somebody stopped, by mail.
import type { MailLink } from "@app/shared/form-mails";
import { DRAFT_KEPT_DAYS } from "@app/shared/submission-limits";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/visitor-refusals.ts";
import { doOnce } from "../../core/once.ts";
import type { Context } from "../../core/trpc.ts";
import { systemScope } from "../../core/system-scope.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { formAddress } from "./form-address.service.ts";
import { type OpenPlace, placeToFill } from "./open-place.ts";
import { countAsked, countMailed } from "./public-limits.ts";
import { mailClient, mailStranger } from "./self-mails.ts";

/** Says the same whether it leaves or not. */
export async function mailResumeLink({ ip, log }: Pick<Context, "ip" | "log">, input: MailLink): Promise<null> {
  await countAsked(ip);
  const place = await placeToFill(input);
  const { form, link, submission } = place;
  if (submission && submission.status !== "in_progress") throw wrongState("This was sent in already.");
  if (!submission && !link) throw wrongState("Nothing is saved yet, so there is nothing to go back to.");
  const { changeId: id, ...asked } = input;
  const sending = { id, what: "submissions.filling.mailLink", input: asked };
  const look = () => Promise.resolve(null);
  return doOnce(systemScope(form.ownerId), sending, {
    look,
    make: async (keep) => {
      await countMailed(ip, { formId: form.formId, place: link?._id ?? submission?._id ?? "" });
      const words = await wordsFor(place, input.userId);
      return inTransaction(async () => {
        await keep("");
        await (link ? mailClient(link, words, log) : mailStranger(form.ownerId, input.email, words));
        return null;
      });
    },
  });
}

/** Nothing of what is asked, nor by whom. */
async function wordsFor({ form, link }: OpenPlace, userId: string) {
  const { longDay } = await practiceDates(form.ownerId);
  const until = link ? `until ${longDay(link.expiresAt)}` : `for ${DRAFT_KEPT_DAYS} days after you last used it`;
  const text = [
    "You asked for a link to go on where you stopped. It works on any phone or computer:",
    "",
    formAddress(form.publicId, userId, form.kind),
    "",
    `It works ${until}, and is for you alone: whoever has it can read what you wrote. Please do not pass it on.`,
    "",
    "If you did not ask for it, you need not do anything.",
  ].join("\n");
  return { subject: "Your link", text };
}
