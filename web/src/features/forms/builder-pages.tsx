import type { FormPage } from "@app/shared/form-content";
import { FORM_PAGES_MAX } from "@app/shared/form-limits";
import { pageName } from "@app/shared/form-words";
import { IconPlus } from "@tabler/icons-react";
import { BuilderChecks } from "./builder-checks.tsx";
import { useBuilderContext } from "./builder-context.ts";
import { freeId, idsIn } from "./form-ids.ts";
import { addPage, movePage, newPage } from "./page-edits.ts";

export function BuilderPages() {
  const { content, page, edit, select, setPane, isReadOnly } = useBuilderContext();
  const at = page ? content.pages.indexOf(page) : -1;
  const add = () => {
    const id = freeId(idsIn(content), "page");
    edit((form) => addPage(form, at + 1, newPage(id)));
    select({ pageId: id });
    setPane("settings");
  };
  return (
    <section className="builder-pages" aria-label="Pages">
      <h2 className="builder-title">Pages</h2>
      <ol className="builder-page-list">
        {content.pages.map((one, index) => (
          <PageItem key={one.id} page={one} index={index} isSelected={one === page} />
        ))}
      </ol>
      {content.pages.length < FORM_PAGES_MAX && (
        <button type="button" className="builder-page-add" disabled={isReadOnly} onClick={add}>
          <IconPlus size={16} stroke={1.7} aria-hidden /> Add page
        </button>
      )}
      <BuilderChecks />
    </section>
  );
}

interface ItemProps {
  page: FormPage;
  index: number;
  isSelected: boolean;
}

function PageItem({ page, index, isSelected }: ItemProps) {
  const { content, select, setPane, edit, isReadOnly } = useBuilderContext();
  const open = () => {
    select({ pageId: page.id });
    setPane("questions");
  };
  const questions = page.fields.length === 1 ? "1 question" : `${page.fields.length} questions`;
  return (
    <li>
      <button
        type="button"
        className="builder-page"
        aria-current={isSelected ? "page" : undefined}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onClick={open}
        onKeyDown={(event) => {
          if (!event.altKey || isReadOnly || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
          event.preventDefault();
          edit((form) => movePage(form, page.id, event.key === "ArrowUp" ? -1 : 1));
        }}
      >
        <span className="builder-page-number">{index + 1}</span>
        <span className="builder-page-title">{pageName(content.pages, page)}</span>
        <span className="builder-page-count" aria-label={questions}>
          {page.fields.length}
        </span>
      </button>
    </li>
  );
}
