import { isEmptyRichText } from "@app/shared/rich-text";
import type { MailTemplate } from "@app/shared/mail-templates";
import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconTemplate } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import type { Compose } from "./use-compose.ts";

/** Begins the message with a template; what stood there can be had back. */
export function TemplateMenu({ compose }: { compose: Compose }) {
  const templates = api.mailTemplates.list.useQuery();
  const choose = (template: MailTemplate) => {
    const { subject, body } = compose.draft;
    compose.replace({ subject: template.subject, body: template.body }, template.name);
    if (isEmptyRichText(body)) return;
    notify("The template took the place of your text", {
      label: "Undo",
      onAct: () => compose.replace({ subject, body }, compose.template),
    });
  };
  const items = templates.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className="compose-template"
          leftSection={<IconTemplate size={16} stroke={1.7} aria-hidden />}
          rightSection={<IconChevronDown size={14} stroke={1.7} aria-hidden />}
        >
          {compose.template ? `Template: ${compose.template}` : "Template"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} className="compose-fields">
        {items.map((template) => (
          <Menu.Item key={template.id} onClick={() => choose(template)}>
            {template.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
