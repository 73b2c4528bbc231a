import { notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getPublished } from "../forms/form-versions.service.ts";
import { formAddress, practicePublicId } from "./form-address.service.ts";

/** Where anybody may fill in this form. */
export async function generalAddress({ ownerId, userId }: Scope, id: string): Promise<{ address: string }> {
  const { publicId, kind } = await getPublished(ownerId, id);
  // Forms for enquiries are the owner's alone.
  if (kind === "lead" && ownerId !== userId) throw notFound("Form");
  if (kind === "screening")
    throw wrongState(
      "Safety questions have no general address: nobody could tell who answers them. Open the client and send them from Forms.",
    );
  return { address: formAddress(publicId, await practicePublicId(ownerId), kind) };
}
