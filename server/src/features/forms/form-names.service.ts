// What forms are called, and which can be sent to somebody: for whoever need not be able to build them.
import mongoose from "mongoose";
import type { FormKind } from "@app/shared/form-kinds";
import { PAGE_SIZE } from "@app/shared/product";
import { matchingWords } from "../../core/word-search.ts";
import { type FormDoc, FormModel } from "./forms.model.ts";

export async function formNames(
  ownerId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<FormDoc, "name" | "kind" | "publicId">>> {
  if (ids.length === 0) return new Map();
  const docs = await FormModel.find(
    { ownerId, _id: mongoose.trusted({ $in: [...ids] }) },
    { name: 1, kind: 1, publicId: 1 },
  ).lean();
  return new Map(docs.map((doc) => [doc._id, doc]));
}

/** Those that ask about somebody's safety: a practice has few. */
export async function screeningFormIds(ownerId: string): Promise<string[]> {
  const docs = await FormModel.find({ ownerId, kind: "screening" }, { _id: 1 }).lean();
  return docs.map(({ _id }) => _id);
}

/** The names of those that ask what somebody has and owes, by id. */
export async function disclosureForms(ownerId: string): Promise<Map<string, string>> {
  const docs = await FormModel.find({ ownerId, kind: "disclosure" }, { name: 1 }).lean();
  return new Map(docs.map(({ _id, name }) => [_id, name]));
}

interface Choice {
  id: string;
  name: string;
  kind: FormKind;
  title: string;
}

/** The published forms that people are asked to fill in; those for enquiries are none of them. */
export async function sendableForms(
  ownerId: string,
  { search, page, without }: { search: string; page: number; without: readonly FormKind[] },
): Promise<{ items: Choice[]; total: number; isTotalExact: boolean }> {
  const filter = {
    ownerId,
    isArchived: false,
    published: mongoose.trusted({ $ne: null }),
    kind: mongoose.trusted({ $nin: ["lead" as const, ...without] }),
    ...matchingWords(search),
  };
  const [docs, total] = await Promise.all([
    FormModel.find(filter, { name: 1, kind: 1, content: 1 })
      .sort({ sortName: 1, _id: 1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    FormModel.countDocuments(filter),
  ]);
  const items = docs.map(({ _id, name, kind, content }) => ({ id: _id, name, kind, title: content.title }));
  return { items, total, isTotalExact: true };
}
