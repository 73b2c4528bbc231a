import { ActionIcon, Button, TextInput, Tooltip } from "@mantine/core";
import {
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconLayoutSidebar,
  IconPrinter,
  IconSearch,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { type ReactNode, useState } from "react";
import { printPdf, PRINTED_PAGES_MAX } from "./print-pdf.ts";
import type { PdfZoom } from "./use-pdf-zoom.ts";

const icon = { size: 18, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  pdf: PDFDocumentProxy | null;
  address: string;
  name: string;
  current: number;
  onPage: (number: number) => void;
  zoom: PdfZoom;
  isOverview: boolean;
  onOverview: () => void;
  isFinding: boolean;
  onFinding: () => void;
}

export function PdfToolbar(props: Props) {
  const { pdf, address, name, current, onPage, zoom, isOverview, onOverview, isFinding, onFinding } = props;
  const pages = pdf?.numPages ?? 0;
  return (
    <div className="pdf-toolbar" role="toolbar" aria-label="PDF">
      <Tool label="Pages in small" isPressed={isOverview} onClick={onOverview}>
        <IconLayoutSidebar {...icon} />
      </Tool>
      <Tool label="Find (Ctrl + F)" isPressed={isFinding} onClick={onFinding}>
        <IconSearch {...icon} />
      </Tool>
      <span className="pdf-tools-middle">
        <span className="pdf-tools-wide">
          <Tool label="Previous page" onClick={current > 1 ? () => onPage(current - 1) : null}>
            <IconChevronUp {...icon} />
          </Tool>
          <Tool label="Next page" onClick={current < pages ? () => onPage(current + 1) : null}>
            <IconChevronDown {...icon} />
          </Tool>
        </span>
        <PageField key={current} current={current} pages={pages} onPage={onPage} />
        <span className="pdf-tools-line" />
        <Tool label="Zoom out" onClick={zoom.zoomOut}>
          <IconZoomOut {...icon} />
        </Tool>
        <Button
          className="pdf-tools-wide"
          size="compact-xs"
          variant="subtle"
          color="gray"
          disabled={zoom.isFit}
          onClick={zoom.fit}
          title="Fit width"
        >
          {zoom.label}
        </Button>
        <Tool label="Zoom in" onClick={zoom.zoomIn}>
          <IconZoomIn {...icon} />
        </Tool>
      </span>
      <PrintTool pdf={pdf} />
      <Tooltip label="Download">
        <ActionIcon component="a" href={address} download variant="subtle" color="gray" aria-label={`Download ${name}`}>
          <IconDownload {...icon} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

interface ToolProps {
  label: string;
  isPressed?: boolean;
  isBusy?: boolean;
  /** Null where it cannot be done now. */
  onClick: (() => void) | null;
  children: ReactNode;
}

const Tool = ({ label, isPressed, isBusy = false, onClick, children }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant={isPressed ? "light" : "subtle"}
      color="gray"
      aria-label={label}
      aria-pressed={isPressed}
      loading={isBusy}
      disabled={onClick === null}
      onClick={() => onClick?.()}
    >
      {children}
    </ActionIcon>
  </Tooltip>
);

interface FieldProps extends Pick<Props, "current" | "onPage"> {
  pages: number;
}

/** Enter, or leaving it, goes there; what is no page of it goes nowhere. */
function PageField({ current, pages, onPage }: FieldProps) {
  const [typed, setTyped] = useState(String(current));
  const go = () => {
    const number = Number(typed);
    if (!Number.isInteger(number) || number < 1 || number > pages) return setTyped(String(current));
    if (number !== current) onPage(number);
  };
  return (
    <>
      <TextInput
        size="xs"
        className="pdf-page-field"
        inputMode="numeric"
        maxLength={5}
        aria-label={`Page, of ${pages}`}
        value={typed}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={go}
        onKeyDown={({ key }) => key === "Enter" && go()}
      />
      <span className="pdf-pages tabular">of {pages || "…"}</span>
    </>
  );
}

function PrintTool({ pdf }: { pdf: PDFDocumentProxy | null }) {
  const [isBusy, setIsBusy] = useState(false);
  if (pdf && pdf.numPages > PRINTED_PAGES_MAX) return null;
  const print = async (pages: PDFDocumentProxy) => {
    setIsBusy(true);
    try {
      await printPdf(pages);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <span className="pdf-tools-wide">
      <Tool label="Print" isBusy={isBusy} onClick={pdf && (() => void print(pdf))}>
        <IconPrinter {...icon} />
      </Tool>
    </span>
  );
}
