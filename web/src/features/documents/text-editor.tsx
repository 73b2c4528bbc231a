import type { DocumentKind } from "@app/shared/document-kind-list";
import type { Attendants } from "@app/shared/document-templates";
import { PRIVILEGE_BANNERS, PRIVILEGE_WATERMARKS } from "@app/shared/document-kinds";
import type { Privilege } from "@app/shared/privileges";
import { Button } from "@mantine/core";
import type { Editor } from "@tiptap/react";
import { IconHistory } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useFormats } from "../../core/format.ts";
import { later } from "../../ui/later.tsx";
import { NewerVersionNotice } from "../../ui/newer-version-notice.tsx";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { FieldMenu } from "./field-menu.tsx";
import { FieldPanel } from "./field-panel.tsx";
import { Paper } from "./paper.tsx";
import { PrivilegeBanner } from "./privilege-banner.tsx";
import { TextOutline } from "./text-outline.tsx";
import type { SavedText } from "./use-saved-text.ts";
import { WordMenu } from "./word-menu.tsx";
import { WritingTools } from "./writing-tools.tsx";
import "./text-editor.css";

const VersionsPane = later(async () => (await import("./versions-pane.tsx")).VersionsPane);

interface Props {
  textId: string;
  saved: SavedText;
  kind: DocumentKind;
  privilege: Privilege;
  /** "template", or "document". */
  what: "template" | "document";
  isReadOnly: boolean;
  others: Attendants["others"];
  head: ReactNode;
  notices?: ReactNode;
  /** On top of the left pane. */
  aside?: (editor: Editor) => ReactNode;
}

/** A text under way: its mark, the tools, the page, and what helps to find the way in it. */
export function TextEditor({ textId, saved, kind, privilege, what, isReadOnly, others, head, notices, aside }: Props) {
  const formats = useFormats();
  const isPhone = useIsPhone();
  const [isVersions, setIsVersions] = useState(false);
  const { savedBy } = saved.newer;
  const isTemplate = what === "template";
  const frame = (editor: Editor, page: ReactNode) => (
    <>
      <WritingTools editor={editor} textId={textId} isReadOnly={isReadOnly}>
        {!isReadOnly && <FieldMenu editor={editor} kind={kind} isTemplate={isTemplate} />}
        {!isReadOnly && <WordMenu textId={textId} saved={saved} what={what} />}
        <Button
          size="xs"
          variant={isVersions ? "light" : "default"}
          aria-pressed={isVersions}
          leftSection={<IconHistory size={16} stroke={1.7} aria-hidden />}
          onClick={() => setIsVersions(!isVersions)}
        >
          Versions
        </Button>
      </WritingTools>
      <div className="text-panes" data-versions={isVersions || undefined}>
        {!isPhone && (
          <div className="text-side">
            {aside?.(editor)}
            {isTemplate && <FieldPanel editor={editor} />}
            <TextOutline content={saved.draft.content} editor={editor} />
          </div>
        )}
        {/* Nothing in a page that is only read can take the focus: its keys scroll it. */}
        <div className="text-desk" {...(isReadOnly && { tabIndex: 0, role: "region", "aria-label": "Page" })}>
          {isPhone && aside?.(editor)}
          {page}
        </div>
        {isVersions && (
          <VersionsPane
            of={what}
            textId={textId}
            saved={saved}
            isReadOnly={isReadOnly}
            onClose={() => setIsVersions(false)}
          />
        )}
      </div>
    </>
  );
  return (
    <div className="text-editor">
      {head}
      <PrivilegeBanner privilege={privilege} />
      <div className="text-notices">
        {notices}
        <OthersHere others={others} />
        <NewerVersionNotice
          newer={saved.newer}
          what={what}
          theirs={savedBy && { name: savedBy.name, savedAt: formats.time(savedBy.at) }}
          onFailure={saved.setFailure}
        />
      </div>
      <Paper
        textId={textId}
        content={saved.draft.content}
        label={`Text of ${saved.draft.name}`}
        isTemplate={isTemplate}
        isReadOnly={isReadOnly}
        onChange={saved.write}
        onRefused={saved.refuse}
        frame={frame}
        watermark={PRIVILEGE_WATERMARKS[privilege]}
        mark={PRIVILEGE_BANNERS[privilege]?.mark ?? ""}
      />
    </div>
  );
}

/** Who else has it open. Nobody is kept from writing: both texts are kept, and whoever saves second chooses. */
function OthersHere({ others }: { others: Attendants["others"] }) {
  const writing = others.filter(({ isWriting }) => isWriting).map(({ name }) => name);
  const reading = others.filter(({ isWriting }) => !isWriting).map(({ name }) => name);
  if (others.length === 0) return null;
  const said = [
    writing.length > 0 && `${writing.join(" and ")} ${writing.length === 1 ? "is" : "are"} writing here now`,
    reading.length > 0 && `${reading.join(" and ")} ${reading.length === 1 ? "has" : "have"} this open too`,
  ].filter(Boolean);
  return (
    <p role="status" className="others-here" data-writing={writing.length > 0 || undefined}>
      {said.join("; ")}.
    </p>
  );
}
