// What a mail is made of, read off its structure: the text to show and what is attached. Pure.
import type { MailStructure } from "../../core/imap-messages.ts";
import { cutText } from "@app/shared/cut-text";
import { visibleName } from "@app/shared/text";

export interface TextPart {
  part: string;
  mime: "text/plain" | "text/html";
  charset: string;
  encoding: string;
  size: number;
}

export interface AttachedPart {
  part: string;
  name: string;
  mime: string;
  size: number;
  encoding: string;
  /** Without the angle brackets; empty for none. */
  contentId: string;
}

export interface MailParts {
  plain: TextPart | null;
  html: TextPart | null;
  attachments: AttachedPart[];
  /** An answer to an invitation, or a notice that a mail could not be delivered. */
  calendar: AttachedPart | null;
  deliveryStatus: AttachedPart | null;
}

const DEPTH_MAX = 10;
const NAME_MAX_LENGTH = 200;
const PARTS_MAX = 200;

export function partsOf(structure: MailStructure | undefined): MailParts {
  const found: MailParts = { plain: null, html: null, attachments: [], calendar: null, deliveryStatus: null };
  if (structure) collect(structure, found, 0);
  return found;
}

function collect(node: MailStructure, found: MailParts, depth: number): void {
  if (node.childNodes && depth < DEPTH_MAX && node.type !== "message/rfc822") {
    for (const child of node.childNodes) collect(child, found, depth + 1);
    return;
  }
  if (node.type.startsWith("multipart/") || found.attachments.length >= PARTS_MAX) return;
  // A mail of one part has no number of its own; its content is part 1.
  const part = node.part || "1";
  const mime = node.type.toLowerCase();
  if (mime === "message/delivery-status") found.deliveryStatus ??= attachedPart(node, part, mime);
  if (mime === "text/calendar") found.calendar ??= attachedPart(node, part, mime);
  const isAttached = node.disposition.toLowerCase() === "attachment" || nameOf(node) !== "";
  if (mime === "text/plain" && !isAttached && !found.plain) found.plain = textPart(node, part, mime);
  else if (mime === "text/html" && !isAttached && !found.html) found.html = textPart(node, part, mime);
  else found.attachments.push(attachedPart(node, part, mime));
}

const textPart = (node: MailStructure, part: string, mime: TextPart["mime"]): TextPart => ({
  part,
  mime,
  charset: node.parameters["charset"] || "utf-8",
  encoding: (node.encoding || "7bit").toLowerCase(),
  size: node.size,
});

const attachedPart = (node: MailStructure, part: string, mime: string): AttachedPart => ({
  part,
  name: safeName(nameOf(node)) || defaultName(mime),
  mime,
  size: node.size,
  encoding: (node.encoding || "7bit").toLowerCase(),
  contentId: node.id.replace(/^<|>$/g, ""),
});

const nameOf = (node: MailStructure): string => node.dispositionParameters["filename"] || node.parameters["name"] || "";

/** A name is written by whoever sent the mail: no path, no control signs, no turned-around text. */
const safeName = (name: string): string =>
  cutText(
    visibleName(name)
      .replace(/[/\\:*?"<>|]/g, "_")
      .replace(/^\.+/, "")
      .trim(),
    NAME_MAX_LENGTH,
  );

function defaultName(mime: string): string {
  if (mime === "text/calendar") return "invitation.ics";
  if (mime === "message/rfc822") return "forwarded message.eml";
  if (mime === "message/delivery-status") return "delivery report.txt";
  return mime.startsWith("image/") ? `picture.${mime.split("/")[1] ?? "img"}` : "attachment";
}
