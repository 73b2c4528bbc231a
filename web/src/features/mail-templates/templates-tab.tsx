import type { TemplateRow } from "@app/shared/mail-templates";
import { Button } from "@mantine/core";
import { IconPlus, IconTemplate } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";
import { later } from "../../ui/later.tsx";
import "./templates-tab.css";

const TemplateDialog = later(async () => (await import("./template-dialog.tsx")).TemplateDialog);

/** Texts that the practice writes again and again. */
export function TemplatesTab() {
  const templates = api.mailTemplates.list.useQuery();
  const [open, setOpen] = useState<TemplateRow | "new" | null>(null);
  const add = (
    <Button size="xs" leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />} onClick={() => setOpen("new")}>
      New template
    </Button>
  );
  return (
    <Section title="Templates" count={templates.data?.items.length || undefined} action={add}>
      <Loaded query={templates} failureTitle="The templates could not be read">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState order={3} icon={<IconTemplate size={24} stroke={1.7} />} title="No templates">
              A template is a text that you begin a message with. Write one for what you write most often.
            </EmptyState>
          ) : (
            <ul className="templates">
              {items.map((template) => (
                <Row key={template.id} template={template} onEdit={() => setOpen(template)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open && <TemplateDialog template={open === "new" ? null : open} onClose={() => setOpen(null)} />}
    </Section>
  );
}

function Row({ template, onEdit }: { template: TemplateRow; onEdit: () => void }) {
  const remove = useRemove(template);
  return (
    <li>
      <div className="template-words">
        <strong>{template.name}</strong>
        <span>{template.subject}</span>
      </div>
      <Button size="xs" variant="default" aria-label={`Edit ${template.name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button size="xs" variant="subtle" aria-label={`Delete ${template.name}`} onClick={() => void remove()}>
        Delete
      </Button>
    </li>
  );
}

function useRemove({ id, name }: TemplateRow) {
  const utils = api.useUtils();
  const options = { onSettled: () => utils.mailTemplates.invalidate() };
  const removing = api.mailTemplates.remove.useMutation(options);
  const restoring = api.mailTemplates.restore.useMutation(options);
  const restore = async () => {
    try {
      await restoring.mutateAsync({ id });
      notify(`${name} is back`);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return async () => {
    try {
      await removing.mutateAsync({ id });
      notify(`${name} deleted`, { label: "Undo", onAct: () => void restore() });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
}
