import type { DocumentKind } from "@app/shared/document-kind-list";
import { DOCUMENT_KIND_NAMES, DOCUMENT_RULES, usualPrivilege } from "@app/shared/document-kinds";
import type { TemplateRow } from "@app/shared/document-templates";
import { PRIVILEGE_NAMES } from "@app/shared/privileges";
import type { ReactNode } from "react";
import type { Formats } from "../../core/format.ts";
import type { Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";

const TemplateLink = ({ template }: { template: TemplateRow }) => (
  <TextLink
    to="/settings/documents/edit/$id"
    params={{ id: template.id }}
    c="inherit"
    fw={500}
    fz="inherit"
    underline="hover"
  >
    {template.name}
  </TextLink>
);

/** How documents made of it are marked: always so, or usually. */
function markWords(kind: DocumentKind): string {
  const usual = usualPrivilege(kind);
  if (DOCUMENT_RULES[kind].privileges.length === 1) return `${PRIVILEGE_NAMES[usual]}, always`;
  return usual === "none" ? "–" : PRIVILEGE_NAMES[usual];
}

interface Shown {
  formats: Formats;
  tools: (template: TemplateRow) => ReactNode;
}

export const templateColumns = ({ formats, tools }: Shown): Column<TemplateRow, "name">[] => [
  { key: "name", header: "Template", cell: (template) => <TemplateLink template={template} /> },
  { key: "kind", header: "Kind", width: 200, cell: ({ kind }) => DOCUMENT_KIND_NAMES[kind] },
  { key: "privilege", header: "Marked", width: 190, cell: ({ kind }) => markWords(kind) },
  { key: "updatedByName", header: "Changed by", width: 150, cell: ({ updatedByName }) => updatedByName },
  { key: "updatedAt", header: "Changed", width: 100, isTabular: true, cell: ({ updatedAt }) => formats.day(updatedAt) },
  { key: "tools", header: "More", width: 52, cell: tools },
];

export const TemplatePhoneRow = ({ template, tools }: { template: TemplateRow; tools: ReactNode }) => (
  <>
    <span className="template-phone-row">
      <TemplateLink template={template} />
      {tools}
    </span>
    <span className="template-phone-row">
      <span>{DOCUMENT_KIND_NAMES[template.kind]}</span>
      <span>{markWords(template.kind)}</span>
    </span>
  </>
);
