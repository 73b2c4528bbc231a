import { pageName } from "@app/shared/form-words";
import { useBuilderContext } from "./builder-context.ts";
import { CanvasField } from "./canvas-field.tsx";

/** The page that is being put together, question by question. */
export function BuilderCanvas() {
  const { content, page, setIsAdding, isReadOnly, isPhone } = useBuilderContext();
  if (!page) return null;
  const { pages } = content;
  return (
    <section className="builder-canvas" aria-label="Questions">
      <div className="canvas-sheet">
        <div className="canvas-head">
          <span className="canvas-where">
            Page {pages.indexOf(page) + 1} of {pages.length}
          </span>
          <h2>{pageName(pages, page)}</h2>
          {page.text && <p>{page.text}</p>}
        </div>
        <ol className="canvas-fields">
          {page.fields.map((field, index) => (
            <CanvasField key={field.id} field={field} index={index} page={page} />
          ))}
        </ol>
        <div className="canvas-foot">
          <button
            id="add-question"
            type="button"
            className="canvas-add"
            disabled={isReadOnly}
            onClick={() => setIsAdding(true)}
          >
            {page.fields.length === 0 ? "Add the first question" : "Add a question"}
            {!isPhone && ", or press /"}
          </button>
        </div>
      </div>
    </section>
  );
}
