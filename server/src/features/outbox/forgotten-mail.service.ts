import { OutboxModel } from "./outbox.model.ts";

/** Whom a mail was for is deleted with all that is kept of them: the mail goes too, and does not leave any more. */
export async function forgetMail(ownerId: string, id: string): Promise<void> {
  await OutboxModel.deleteOne({ ownerId, _id: id });
}
