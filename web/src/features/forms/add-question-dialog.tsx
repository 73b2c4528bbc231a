import { Dialog } from "../../ui/dialog.tsx";
import { useBuilderContext } from "./builder-context.ts";
import { PaletteList } from "./palette-list.tsx";

/** The palette for a phone, and for whoever pressed "/". */
export function AddQuestionDialog() {
  const { add, setIsAdding, isReadOnly } = useBuilderContext();
  return (
    <Dialog isOpen onClose={() => setIsAdding(false)} title="Add a question">
      <div className="palette-sheet">
        <PaletteList onAdd={add} isDisabled={isReadOnly} />
      </div>
    </Dialog>
  );
}
