import type { Scope } from "../../core/trpc.ts";
import { getPublished } from "../forms/form-versions.service.ts";
import { formAddress, practicePublicId } from "./form-address.service.ts";

/** Where anybody may fill in this form. */
export async function generalAddress({ ownerId }: Scope, id: string): Promise<{ address: string }> {
  const { publicId } = await getPublished(ownerId, id);
  return { address: formAddress(publicId, await practicePublicId(ownerId)) };
}
