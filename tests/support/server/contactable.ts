import { CaseModel } from "@app/server/features/cases/cases.model";
import type { Case } from "@app/shared/cases";

/**
 * Stores that whoever came first was heard and agrees that the others are contacted, so that those may be invited in a
 * test that is about other things.
 */
export async function mayContact({ id }: Pick<Case, "id">): Promise<void> {
  const on = "2026-01-05";
  const contactAgreement = { isAgreed: true, isNamed: false, on, byName: "Ines Marchbank" };
  const put = (of: Record<string, string>, set: Record<string, unknown>) =>
    CaseModel.updateOne({ _id: id, ...of }, { $set: set }).setOptions({ anyOwner: true });
  await put({}, { "parties.0.contactAgreement": contactAgreement });
  await put({ "parties.0.miamOn": "" }, { "parties.0.miamOn": on });
}
