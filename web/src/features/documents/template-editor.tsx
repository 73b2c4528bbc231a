import { ROLES } from "@app/shared/access";
import { DOCUMENT_KIND_NAMES, usualPrivilege } from "@app/shared/document-kinds";
import { ATTENDING_MS, type Template } from "@app/shared/document-templates";
import { Button } from "@mantine/core";
import { IconArchive, IconArrowLeft } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { SavedState } from "../../core/saved-state.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { Chip } from "../../ui/chip.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TextEditor } from "./text-editor.tsx";
import { useAttendants } from "./use-attendants.ts";
import { useSavedText } from "./use-saved-text.ts";

export function TemplateEditor({ template }: { template: Template }) {
  useTitle(template.name);
  const user = useCurrentUser();
  const utils = api.useUtils();
  const saving = api.documentTemplates.save.useMutation();
  const attending = api.documentTemplates.attend.useMutation();
  const { isArchived } = template;
  // What a certificate says is the practice's word: whoever runs it decides how it reads.
  const isOwners = template.kind === "certificate" && user.role !== ROLES.owner;
  const isReadOnly = isArchived || isOwners;
  const saved = useSavedText(
    template,
    {
      async save(draft) {
        const stored = await saving.mutateAsync(draft);
        utils.documents.open.setData({ id: template.id }, { of: "template", template: stored });
        void utils.documentTemplates.versions.invalidate({ id: template.id });
        return stored;
      },
      read: () => utils.documentTemplates.get.fetch({ id: template.id }, { staleTime: 0 }),
    },
    isReadOnly,
  );
  const others = useAttendants(template.id, saved.newer.isDirty, attending.mutateAsync);
  const isShared = others.length > 0;
  // What others save comes in by itself, as long as nothing clashes with what is written here.
  api.documents.open.useQuery({ id: template.id }, { refetchInterval: isShared ? ATTENDING_MS.every : false });
  return (
    <TextEditor
      textId={template.id}
      saved={saved}
      kind={template.kind}
      privilege={usualPrivilege(template.kind)}
      what="template"
      isReadOnly={isReadOnly}
      others={others}
      head={
        <header className="text-head">
          <LinkButton to="/settings/documents" variant="subtle" size="xs" px={6} aria-label="Back to documents">
            <IconArrowLeft size={16} stroke={1.7} aria-hidden />
          </LinkButton>
          <h1>{saved.draft.name}</h1>
          <Chip tone="outline">Template</Chip>
          <span className="text-meta">{DOCUMENT_KIND_NAMES[template.kind]}</span>
          <SavedState saved={saved} closed={isArchived ? "Archived" : isOwners ? "Changed by the owner" : null} />
        </header>
      }
      notices={isArchived && <ArchivedPanel templateId={template.id} />}
    />
  );
}

function ArchivedPanel({ templateId }: { templateId: string }) {
  const utils = api.useUtils();
  const moving = api.documentTemplates.setStatus.useMutation({
    onSuccess: () => Promise.all([utils.documentTemplates.invalidate(), utils.documents.open.invalidate()]),
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Panel
      icon={<IconArchive size={18} stroke={1.7} aria-hidden />}
      title="This template is archived."
      action={
        <Button
          size="xs"
          variant="default"
          loading={moving.isPending}
          onClick={() => moving.mutate({ id: templateId, isArchived: false })}
        >
          Bring back
        </Button>
      }
    >
      Nothing new is made of it, and it is not changed until it is brought back.
    </Panel>
  );
}
