import type { Scope } from "../../core/trpc.ts";
import type { DocumentDoc } from "./documents.model.ts";

type Removable = Pick<DocumentDoc, "_id" | "caseId" | "name" | "fileId" | "deletedAt">;
type Follower = (scope: Scope, before: Removable, after: Removable) => Promise<void>;
const followers: Follower[] = [];

/** What follows where a document is removed or brought back, in its transaction; called once, beside the code that does it. */
export const defineDocumentFollower = (follow: Follower): void => void followers.push(follow);

export async function tellDocumentFollowers(...change: Parameters<Follower>): Promise<void> {
  for (const follow of followers) await follow(...change);
}
