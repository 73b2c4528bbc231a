import { compareTexts } from "@app/shared/document-compare";
import type { DocumentContent } from "@app/shared/document-content";
import type { TextVersion } from "@app/shared/document-templates";
import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import type { SavedText } from "./use-saved-text.ts";

interface Props {
  of: "template" | "document";
  textId: string;
  saved: SavedText;
  isReadOnly: boolean;
  onClose: () => void;
}

/** The text as it stood before, what is other now, and the way back to it. */
export function VersionsPane({ of, textId, saved, isReadOnly, onClose }: Props) {
  const formats = useFormats();
  const [chosen, setChosen] = useState<number | null>(null);
  const isOf = (kind: typeof of) => ({ enabled: of === kind, staleTime: 0 });
  const ofTemplate = api.documentTemplates.versions.useQuery({ id: textId }, isOf("template"));
  const ofDocument = api.documents.versions.useQuery({ id: textId }, isOf("document"));
  const query = of === "template" ? ofTemplate : ofDocument;
  return (
    <aside className="versions-pane" aria-label="Versions">
      <header>
        <h2>Versions</h2>
        <ActionIcon variant="subtle" color="gray" aria-label="Close versions" onClick={onClose}>
          <IconX size={16} stroke={1.7} aria-hidden />
        </ActionIcon>
      </header>
      <p className="versions-now">
        <strong>Now</strong>
        <span>{formats.dateTime(saved.savedAt)}</span>
      </p>
      <Loaded query={query} failureTitle="The versions could not be read">
        {({ items, total }) => (
          <>
            {items.length === 0 && (
              <p className="versions-none">
                There is no earlier version yet. One is kept whenever somebody else goes on.
              </p>
            )}
            <ul>
              {items.map((version) => (
                <VersionRow
                  key={version.version}
                  of={of}
                  textId={textId}
                  version={version}
                  saved={saved}
                  isReadOnly={isReadOnly}
                  isOpen={chosen === version.version}
                  onOpen={() => setChosen(chosen === version.version ? null : version.version)}
                />
              ))}
            </ul>
            {total > items.length && (
              <p className="versions-none">
                The newest {items.length} of {total} are shown.
              </p>
            )}
          </>
        )}
      </Loaded>
    </aside>
  );
}

interface RowProps extends Omit<Props, "onClose"> {
  version: TextVersion;
  isOpen: boolean;
  onOpen: () => void;
}

function VersionRow({ of, textId, version, saved, isReadOnly, isOpen, onOpen }: RowProps) {
  const formats = useFormats();
  return (
    <li data-open={isOpen || undefined}>
      <button type="button" aria-expanded={isOpen} onClick={onOpen}>
        <strong>Version {version.version + 1}</strong>
        <span>{formats.dateTime(version.savedAt)}</span>
        <span className="version-by">{version.savedByName || "As it came"}</span>
      </button>
      {isOpen && <OpenVersion of={of} textId={textId} version={version} saved={saved} isReadOnly={isReadOnly} />}
    </li>
  );
}

function OpenVersion({ of, textId, version, saved, isReadOnly }: Omit<RowProps, "isOpen" | "onOpen">) {
  const asked = { id: textId, version: version.version };
  const ofTemplate = api.documentTemplates.version.useQuery(asked, { enabled: of === "template" });
  const ofDocument = api.documents.version.useQuery(asked, { enabled: of === "document" });
  const query = of === "template" ? ofTemplate : ofDocument;
  const restore = (content: DocumentContent) => {
    const { content: now } = saved.draft;
    saved.restore(content);
    notify(`Version ${version.version + 1} is back`, { label: "Undo", onAct: () => saved.restore(now) });
  };
  return (
    <Loaded query={query} failureTitle="This version could not be read">
      {({ content }) => (
        <div className="version-open">
          <Changes before={content} after={saved.draft.content} />
          {!isReadOnly && (
            <Button size="xs" variant="default" onClick={() => restore(content)}>
              Restore this version
            </Button>
          )}
        </div>
      )}
    </Loaded>
  );
}

function Changes({ before, after }: { before: DocumentContent; after: DocumentContent }) {
  const { differences, isOnlyForm } = compareTexts(before, after);
  return (
    <>
      <h3>Changes since</h3>
      {differences.length === 0 && <p>{isOnlyForm ? "Only how the words are set" : "None"}</p>}
      {differences.map(({ pieces }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <p key={index}>
          {pieces.map(({ kind, text }, at) => {
            const Tag = kind === "added" ? "ins" : kind === "removed" ? "del" : "span";
            // oxlint-disable-next-line react/no-array-index-key
            return <Tag key={at}>{text}</Tag>;
          })}
        </p>
      ))}
    </>
  );
}
