import { useBuilderContext } from "./builder-context.ts";
import { PaletteList } from "./palette-list.tsx";

export function BuilderPalette() {
  const { add, isReadOnly } = useBuilderContext();
  return (
    <section className="builder-palette" aria-label="Add a question">
      <PaletteList onAdd={add} isDisabled={isReadOnly} />
    </section>
  );
}
