// Links on their way to a mailbox: whoever else reads that mailbox must not come by one while it works.
import mongoose from "mongoose";
import { samePerson } from "@app/shared/email-address";
import { now } from "../../core/clock.ts";
import { openLinksOfUsers } from "../users/open-links.service.ts";
import { accountOf, REGISTRATION_LINK_MS, RegistrationLinkModel } from "./registrations.model.ts";

interface Holder {
  userId: string;
  /** Of the mailbox that they connected. */
  email: string;
}

/**
 * When those links were asked for that may lie in this person's mailbox and still let somebody in: those to the address
 * that they sign in with, wherever its mail goes, and those to the address of the mailbox.
 */
export async function openLinksFor({ userId, email }: Holder): Promise<Date[]> {
  const links = await openLinksOfUsers();
  const theirs = links.filter((link) => link.userId === userId || samePerson(link.address, email));
  const registrations = await RegistrationLinkModel.find(
    { account: accountOf(email), expires_at: mongoose.trusted({ $gt: now() }) },
    { expires_at: 1 },
  ).lean();
  return [
    ...theirs.map(({ askedAt }) => askedAt),
    ...registrations.map(({ expires_at }) => new Date(expires_at.getTime() - REGISTRATION_LINK_MS)),
  ];
}
