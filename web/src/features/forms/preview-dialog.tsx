import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { useBuilderContext } from "./builder-context.ts";
import { FormPreview } from "./form-preview.tsx";

/** The draft as people will meet it, to be filled in; nothing of it is kept. */
export function PreviewDialog({ onClose }: { onClose: () => void }) {
  const { content } = useBuilderContext();
  const [width, setWidth] = useState("phone");
  return (
    <Dialog isOpen onClose={onClose} title="Preview" size="wide">
      <div className="preview-head">
        <SegmentedControl
          aria-label="Width"
          data={[
            { value: "phone", label: "Phone" },
            { value: "desktop", label: "Desktop" },
          ]}
          value={width}
          onChange={setWidth}
        />
        <span className="inspector-hint">Try it out: nothing that you enter here is kept.</span>
      </div>
      <div className="preview-frame" data-width={width}>
        <FormPreview content={content} />
      </div>
    </Dialog>
  );
}
