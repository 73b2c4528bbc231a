import { Skeleton } from "@mantine/core";
import { type ComponentProps, lazy, Suspense } from "react";

// The editor weighs more than all the rest of these pages: it comes only where somebody writes.
const Loaded = lazy(async () => ({ default: (await import("../../ui/rich-text-editor.tsx")).RichTextEditor }));

export function TextEditor(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense fallback={<Skeleton h={112} m={12} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
