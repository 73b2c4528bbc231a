import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useBuilderContext } from "./builder-context.ts";

const SOUND = ["Every page can be reached", "No rule goes in a circle", "Every answer fits where it is saved"];
const SHOWN = 12;

/** What stands in the way of publishing, live; each leads to what it is about. */
export function BuilderChecks() {
  const { problems, content, select, setPane, setTab } = useBuilderContext();
  const open = ({ pageId, fieldId }: { pageId: string | null; fieldId: string | null }) => {
    select({ ...(pageId ? { pageId } : {}), fieldId });
    if (pageId === null) setTab("form");
    setPane("settings");
  };
  const where = (pageId: string | null) => {
    const at = content.pages.findIndex(({ id }) => id === pageId);
    return at === -1 || content.pages.length === 1 ? "" : `Page ${at + 1}: `;
  };
  return (
    <div className="builder-checks">
      <h2 className="builder-title">Checks</h2>
      <p className="visually-hidden" role="status">
        {problems.length === 0
          ? "Ready to publish."
          : `${problems.length === 1 ? "1 thing" : `${problems.length} things`} to put right before publishing.`}
      </p>
      <ul>
        {problems.length === 0 &&
          SOUND.map((text) => (
            <li key={text} className="builder-check">
              <IconCheck size={16} stroke={1.7} aria-hidden /> {text}
            </li>
          ))}
        {problems.slice(0, SHOWN).map((problem) => (
          <li key={`${problem.fieldId ?? problem.pageId ?? ""} ${problem.text}`}>
            <button type="button" className="builder-check" data-problem onClick={() => open(problem)}>
              <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
              <span>
                {problem.text.startsWith("Page") || problem.text.includes("page") ? "" : where(problem.pageId)}
                {problem.text}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && <p className="builder-check-more">And {problems.length - SHOWN} more.</p>}
    </div>
  );
}
