import type { PDFDocumentProxy } from "pdfjs-dist";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Found, findOn, type PageText, pageTextOf, type Place } from "./pdf-find.ts";
import type { TextPieces } from "./pdf-page.tsx";

const FOUND_MAX = 1000;

export interface PdfFind {
  text: string;
  setText: (text: string) => void;
  found: readonly Found[];
  /** Which of them is looked at. */
  at: number;
  isReading: boolean;
  step: (by: 1 | -1) => void;
  /** For each page whose words lie on the screen. */
  onText: (number: number, pieces: TextPieces) => void;
}

/** Looks for words in all pages, and marks them on those that are drawn. */
export function usePdfFind(pdf: PDFDocumentProxy | null, onGo: (page: number) => void): PdfFind {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { texts, isReading } = usePageTexts(pdf, text.trim() !== "");
  const found = useMemo(
    () => texts.flatMap((page, index) => findOn(index + 1, page, text)).slice(0, FOUND_MAX),
    [texts, text],
  );
  const onText = useMarks(found, at);
  const now = found[at]?.page;
  useEffect(() => {
    if (now !== undefined) onGo(now);
  }, [now, at, onGo]);
  return {
    text,
    setText(wanted) {
      setAt(0);
      setText(wanted);
    },
    found,
    at,
    isReading,
    step: (by) => setAt((before) => (found.length === 0 ? 0 : (before + by + found.length) % found.length)),
    onText,
  };
}

/** The words of each page from the first on, read once and only where somebody looks for something. */
function usePageTexts(pdf: PDFDocumentProxy | null, isWanted: boolean) {
  const [texts, setTexts] = useState<readonly PageText[]>([]);
  const isReading = isWanted && pdf !== null && texts.length < pdf.numPages;
  const next = texts.length + 1;
  useEffect(() => {
    if (!isReading || !pdf) return;
    let isGone = false;
    const read = async () => {
      const page = await pdf.getPage(next);
      const { items } = await page.getTextContent();
      if (!isGone) setTexts((before) => [...before, pageTextOf(items.filter((item) => "str" in item))]);
    };
    void read().catch((error: unknown) => {
      if (!isGone) throw error;
    });
    return () => {
      isGone = true;
    };
  }, [isReading, pdf, next]);
  return { texts, isReading };
}

/** Marks what was found where it lies on the screen; browsers that cannot mark still go to the page. */
function useMarks(found: readonly Found[], at: number): PdfFind["onText"] {
  const pieces = useRef(new Map<number, TextPieces>());
  const mark = useCallback(() => {
    if (!("highlights" in CSS)) return;
    const ranges = found.map((one) => rangeOf(one, pieces.current.get(one.page)));
    CSS.highlights.set("pdf-found", new Highlight(...ranges.filter((range) => range !== null)));
    const now = ranges[at];
    CSS.highlights.set("pdf-found-now", new Highlight(...(now ? [now] : [])));
  }, [found, at]);
  const latest = useRef(mark);
  useEffect(() => {
    latest.current = mark;
    mark();
    return () => {
      if ("highlights" in CSS) for (const name of ["pdf-found", "pdf-found-now"]) CSS.highlights.delete(name);
    };
  }, [mark]);
  return useCallback((number, laid) => {
    pieces.current.set(number, laid);
    latest.current();
  }, []);
}

function rangeOf({ from, to }: Found, pieces: TextPieces | undefined): Range | null {
  const nodeAt = ({ piece }: Place) => pieces?.[piece]?.firstChild ?? null;
  const [start, end] = [nodeAt(from), nodeAt(to)];
  if (!start || !end) return null;
  const range = document.createRange();
  range.setStart(start, Math.min(from.offset, start.textContent?.length ?? 0));
  range.setEnd(end, Math.min(to.offset + 1, end.textContent?.length ?? 0));
  return range;
}
