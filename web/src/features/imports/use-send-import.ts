import { sizeText } from "@app/shared/files";
import type { ImportKind } from "@app/shared/import-states";
import { IMPORT_MAX_BYTES } from "@app/shared/imports";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { makeId } from "../../core/new-id.ts";
import { sendFile } from "../../core/send-file.ts";

interface Sent {
  name: string;
  share: number;
  cancel: () => void;
}

/** Sends a file to be imported, and opens the import that it becomes. */
export function useSendImport(kind: ImportKind) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const [sent, setSent] = useState<Sent | null>(null);
  const [failure, setFailure] = useState("");

  async function send(file: File): Promise<void> {
    setFailure("");
    if (file.size > IMPORT_MAX_BYTES) {
      const most = sizeText(IMPORT_MAX_BYTES);
      return setFailure(`This file has ${sizeText(file.size)}. Divide it into files of at most ${most}.`);
    }
    const upload = JSON.stringify({ id: makeId(), kind, name: file.name.normalize("NFC") });
    const { done, cancel } = sendFile(file, `/imports?upload=${encodeURIComponent(upload)}`, (bytes) =>
      setSent((before) => before && { ...before, share: bytes / Math.max(1, file.size) }),
    );
    setSent({ name: file.name, share: 0, cancel });
    try {
      const id = idIn(await done);
      await utils.imports.list.invalidate();
      await navigate({ to: "/account", search: { tab: "data", import: id } });
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === "AbortError";
      setFailure(isCancelled || !(error instanceof Error) ? "" : error.message);
    } finally {
      setSent(null);
    }
  }

  return { sent, failure, send };
}

function idIn(answer: string): string {
  const parsed: unknown = JSON.parse(answer);
  if (typeof parsed === "object" && parsed !== null && "id" in parsed) return String(parsed.id);
  throw new Error("The server gave no import back. Choose the file again.");
}
