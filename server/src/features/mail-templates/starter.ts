import { type RichText, richTextOf } from "@app/shared/rich-text";

export interface Starter {
  starterKey: string;
  name: string;
  subject: string;
  body: RichText;
}

const SIGNED = "\n{{sender.name}}\n{{practice.name}}";

export const starter = (starterKey: string, name: string, subject: string, text: string): Starter => ({
  starterKey,
  name,
  subject,
  body: richTextOf(`{{client.salutation}},\n${text}${SIGNED}`),
});
