import { now } from "@app/server/core/clock";
import { dayIn } from "@app/shared/days";
import type { ContactAgreement } from "@app/shared/contact-agreements";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { Case } from "@app/shared/cases";
import mongoose from "mongoose";

const ON = "2026-01-05";
export const AGREED: ContactAgreement = { isAgreed: true, isNamed: false, on: ON, byName: "Ines Marchbank" };

/** Stores that whoever came first agrees that the others are contacted. False where another process keeps the case. */
export async function agreed({ id }: Pick<Case, "id">): Promise<boolean> {
  if (mongoose.connection.readyState !== mongoose.ConnectionStates.connected) return false;
  const set = { $set: { "parties.0.contactAgreement": AGREED } };
  return (await CaseModel.updateOne({ _id: id }, set).setOptions({ anyOwner: true })).matchedCount > 0;
}

/** The same, but where they said so by themselves; again, where somebody joined since. */
async function agreedUnless({ id: _id }: Pick<Case, "id">): Promise<void> {
  const set = (of: object, said: object) =>
    CaseModel.updateOne({ _id, ...of }, { $set: said }).setOptions({ anyOwner: true });
  const unsaid = mongoose.trusted({ $ne: true });
  await set({ "parties.0.contactAgreement.isAgreed": unsaid }, { "parties.0.contactAgreement": AGREED });
  const anew = {
    "parties.0.contactAgreement.on": dayIn("Europe/London", now()),
    "parties.0.contactAgreement.since": ON,
  };
  await set({ "parties.joinedAt": mongoose.trusted({ $type: "date" }) }, anew);
}

/**
 * Stores that whoever came first was heard and agrees that the others are contacted, so that those may be invited in a
 * test that is about other things.
 */
export async function mayContact({ id }: Pick<Case, "id">): Promise<void> {
  await agreedUnless({ id });
  const unheard = { _id: id, "parties.0.miamOn": "" };
  await CaseModel.updateOne(unheard, { $set: { "parties.0.miamOn": ON } }).setOptions({ anyOwner: true });
}

/** Stores that everybody beside whoever came first has answered: nobody keeps them from being written to. */
export async function othersAnswered({ id, parties }: Pick<Case, "id" | "parties">): Promise<void> {
  await agreedUnless({ id });
  for (const [index, { status }] of parties.entries())
    if (index > 0 && status === "to_invite") {
      const set = { [`parties.${index}.status`]: "responded", [`parties.${index}.respondedOn`]: ON };
      await CaseModel.updateOne({ _id: id }, { $set: set }).setOptions({ anyOwner: true });
    }
}
