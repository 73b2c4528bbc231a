import type { TemplateRow } from "@app/shared/document-templates";
import { Button } from "@mantine/core";
import { IconFileText, IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { ListPage, useListPlace } from "../../core/list-page.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { later } from "../../ui/later.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { DocumentsFilterBar } from "./documents-filter-bar.tsx";
import { type DocumentsSearch, parseDocumentsSearch, templatesInput } from "./documents-search.ts";
import { templateColumns, TemplatePhoneRow } from "./template-columns.tsx";
import { TemplateMenu } from "./template-menu.tsx";
import "./documents.css";

const NewTemplateDialog = later(async () => (await import("./new-template-dialog.tsx")).NewTemplateDialog);
const RenameTemplateDialog = later(async () => (await import("./rename-template-dialog.tsx")).RenameTemplateDialog);

/** What documents begin with. The documents themselves are on the pages of their clients. */
export function DocumentsPage({ search }: { search: DocumentsSearch }) {
  const formats = useFormats();
  const navigate = useNavigate();
  const { add, rename, ...list } = search;
  const place = useListPlace({
    search: list,
    parse: parseDocumentsSearch,
    onChange: (next) => void navigate({ to: "/settings/documents", search: next, replace: true }),
  });
  const query = api.documentTemplates.list.useQuery(templatesInput(list), { placeholderData: keepPreviousData });
  const data = query.data && { ...query.data, items: query.data.items.map(named) };
  const hidden = new Set(search.hide);
  const close = () => void navigate({ to: "/settings/documents", search: list });
  const tools = (template: TemplateRow) => <TemplateMenu template={template} />;
  return (
    <>
      <ListPage
        title="Documents"
        words={["template", "templates"]}
        place={place}
        query={{ ...query, data }}
        sortedBy="name"
        columns={templateColumns({ formats, tools }).filter(({ key }) => !hidden.has(key))}
        onOpen={({ id }) => void navigate({ to: "/settings/documents/edit/$id", params: { id } })}
        phoneRow={(template) => <TemplatePhoneRow template={template} tools={tools(template)} />}
        empty={<NoTemplates search={list} onClear={place.clear} />}
        actions={
          <LinkButton
            to="/settings/documents"
            search={{ ...list, add: true }}
            leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}
          >
            New template
          </LinkButton>
        }
        filterBar={<DocumentsFilterBar place={place} />}
      />
      {add && <NewTemplateDialog onClose={close} />}
      {rename && <RenameTemplateDialog templateId={rename} onClose={close} />}
    </>
  );
}

const named = (template: TemplateRow) => ({ ...template, displayName: template.name });

function NoTemplates({ search, onClear }: { search: DocumentsSearch; onClear: () => void }) {
  const icon = <IconFileText size={24} stroke={1.7} />;
  const showAll = (
    <Button variant="default" onClick={onClear}>
      Show all templates
    </Button>
  );
  if (search.search || search.kind || search.page)
    return (
      <EmptyState icon={icon} title="No template matches this" actions={showAll}>
        Check the spelling, or take a filter away.
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title="No template is in the archive" actions={showAll}>
      Templates you archive are kept here, and can be brought back.
    </EmptyState>
  );
}
