import { isEmptyRichText } from "@app/shared/rich-text";
import type { MailTemplate, TemplateRow } from "@app/shared/mail-templates";
import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconTemplate } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import type { Compose } from "./use-compose.ts";

/** Begins the message with a template; what stood there can be had back. */
export function TemplateMenu({ compose }: { compose: Compose }) {
  const utils = api.useUtils();
  const templates = api.mailTemplates.list.useQuery();
  const [isReading, setIsReading] = useState(false);
  // What is typed while the template is read is what it takes the place of.
  const current = useRef(compose);
  useEffect(() => {
    current.current = compose;
  });
  const begin = (template: MailTemplate) => {
    const { draft, replace, template: before } = current.current;
    const { subject, body } = draft;
    replace({ subject: template.subject, body: template.body }, template.name);
    if (isEmptyRichText(body)) return;
    notify("The template took the place of your text", {
      label: "Undo",
      onAct: () => replace({ subject, body }, before),
    });
  };
  const choose = async ({ id }: TemplateRow) => {
    setIsReading(true);
    try {
      begin(await utils.mailTemplates.get.fetch({ id }, { staleTime: 0 }));
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      setIsReading(false);
    }
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
          loading={isReading}
          leftSection={<IconTemplate size={16} stroke={1.7} aria-hidden />}
          rightSection={<IconChevronDown size={14} stroke={1.7} aria-hidden />}
        >
          {compose.template ? `Template: ${compose.template}` : "Template"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} className="compose-fields">
        {items.map((template) => (
          <Menu.Item key={template.id} onClick={() => void choose(template)}>
            {template.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
