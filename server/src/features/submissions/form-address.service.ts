// The general addresses of a practice's forms: anybody who has one may fill the form in.
import type { FormKind } from "@app/shared/form-kinds";
import { isDuplicateKey } from "../../core/database.ts";
import { newId } from "../../core/ids.ts";
import { memoryOf } from "../../core/memory.ts";
import { publicUrl } from "../../core/settings.ts";
import { FormAddressModel } from "./form-links.model.ts";

/** What the practice is called in them: made when it is first asked for, and never its id. */
export async function practicePublicId(ownerId: string): Promise<string> {
  const known = await FormAddressModel.findById(ownerId).lean();
  if (known) return known.publicId;
  try {
    const [made] = await FormAddressModel.create([{ _id: ownerId, publicId: newId() }]);
    return made?.publicId ?? "";
  } catch (error) {
    // Somebody asked at the same moment.
    if (!isDuplicateKey(error)) throw error;
    return practicePublicId(ownerId);
  }
}

const practices = memoryOf(
  ["form_addresses"],
  async (publicId) => (await FormAddressModel.findOne({ publicId }).lean())?._id ?? null,
);

export const practiceOfPublicId = (publicId: string): Promise<string | null> => practices.recall(publicId);

/** Where a form is filled in by the practice's or a person's part of the address. */
export const formAddress = (formPublicId: string, userId: string, kind?: FormKind): string =>
  `${publicUrl()}/${kind === "lead" ? "lead-form" : "form"}/${formPublicId}/${userId}`;
