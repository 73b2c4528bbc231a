import { TextInput } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { useBuilderContext } from "./builder-context.ts";
import { paletteFor } from "./field-palette.ts";
import { PaletteList } from "./palette-list.tsx";

/** The palette for a phone, and for whoever pressed "/". Enter adds what is found first. */
export function AddQuestionDialog() {
  const { add, setIsAdding, isReadOnly } = useBuilderContext();
  const [search, setSearch] = useState("");
  const groups = paletteFor(search);
  const first = search.trim() === "" ? undefined : groups[0]?.types[0];
  return (
    <Dialog isOpen onClose={() => setIsAdding(false)} title="Add a question">
      <form
        className="palette-search"
        onSubmit={(event) => {
          event.preventDefault();
          if (first && !isReadOnly) add(first);
        }}
      >
        <TextInput
          label="Find a type"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      </form>
      <div className="palette-sheet">
        <PaletteList groups={groups} onAdd={add} isDisabled={isReadOnly} />
      </div>
      {groups.length === 0 && (
        <p className="quiet-text" role="status">
          No type of question is called that.
        </p>
      )}
    </Dialog>
  );
}
