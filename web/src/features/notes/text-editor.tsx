import { Skeleton } from "@mantine/core";
import { later } from "../../ui/later.tsx";

// The editor weighs more than all the rest of these pages: it comes only where somebody writes.
export const TextEditor = later(
  async () => (await import("../../ui/rich-text-editor.tsx")).RichTextEditor,
  <Skeleton h={112} m={12} />,
);
