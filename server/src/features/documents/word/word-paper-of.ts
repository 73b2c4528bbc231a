// What a template or a draft is as a Word document: with the same mark, head and foot as its PDF, by the same guards.
import { PRIVILEGE_BANNERS, PRIVILEGE_FOOTERS, usualPrivilege } from "@app/shared/document-kinds";
import type { Template } from "@app/shared/document-templates";
import type { Privilege } from "@app/shared/privileges";
import type { Scope } from "../../../core/trpc.ts";
import { letterheadOf } from "../../letterheads/letterheads.service.ts";
import { readableDocument } from "../document-access.ts";
import { picturesOf } from "../document-pictures.ts";
import { assertDraft } from "../documents.service.ts";
import { toDocument } from "../documents.model.ts";
import { assertSayable, footerOf } from "../finish-document.ts";
import { findTemplateOf } from "../text-access.ts";
import { toTemplate } from "../templates.model.ts";
import type { WordPaper } from "./word-paper.ts";

/** NOT_FOUND where this person may not read it; refused in words where those for whom it is may not read all of it. */
export async function wordPaperOf(scope: Scope, textId: string): Promise<WordPaper> {
  const template = await findTemplateOf(scope, textId);
  return template ? ofTemplate(scope, toTemplate(template)) : ofDocument(scope, textId);
}

async function ofTemplate({ ownerId }: Scope, { id, name, kind, content }: Template): Promise<WordPaper> {
  const privilege = usualPrivilege(kind);
  const footer = [PRIVILEGE_FOOTERS[privilege], name].filter(Boolean).join(" ");
  return { title: name, content, isTemplate: true, footer, ...(await dressed(ownerId, { id, privilege, content })) };
}

async function ofDocument(scope: Scope, id: string): Promise<WordPaper> {
  const { doc, theCase } = await readableDocument(scope, id);
  assertDraft(doc);
  await assertSayable(scope, doc, theCase);
  const { name, content, privilege } = toDocument(doc);
  const footer = footerOf(doc, theCase);
  const dress = await dressed(scope.ownerId, { id, privilege, content });
  return { title: name, content, isTemplate: false, footer, ...dress };
}

interface Text extends Pick<WordPaper, "content"> {
  id: string;
  privilege: Privilege;
}

async function dressed(
  ownerId: string,
  { id, privilege, content }: Text,
): Promise<Pick<WordPaper, "head" | "rule" | "images">> {
  const [{ name, logo }, images] = await Promise.all([letterheadOf(ownerId), picturesOf(ownerId, id, content)]);
  const banner = PRIVILEGE_BANNERS[privilege];
  return { head: { name, mark: banner?.mark ?? "", logo }, rule: banner?.rule ?? "", images };
}
