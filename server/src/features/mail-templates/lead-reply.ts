// What whoever sends an enquiry gets at once: nothing of what it is about, because nobody knows yet who reads along.
import { type Starter } from "./starter.ts";
import { richTextOf } from "@app/shared/rich-text";

export const LEAD_REPLY: Starter = {
  starterKey: "lead-reply",
  name: "Automatic answer to an enquiry",
  subject: "We have your message",
  body: richTextOf(
    "{{client.salutation}},\nthank you for your message. It has arrived, and somebody will answer within one working day.\nIf you did not write to us, you need not do anything.",
  ),
};
