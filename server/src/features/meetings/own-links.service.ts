import type { MeetingDoc } from "./meetings.model.ts";

type FindLink = (meeting: MeetingDoc, partyId: string) => Promise<string>;
const finders: FindLink[] = [];

/** Where one party looks after a meeting by themselves; empty for whoever has no such link. Called once, beside the links. */
export const defineOwnLink = (find: FindLink): void => void finders.push(find);

export async function ownLinkOf(meeting: MeetingDoc, partyId: string): Promise<string> {
  const links = await Promise.all(finders.map((find) => find(meeting, partyId)));
  return links.find((link) => link !== "") ?? "";
}
