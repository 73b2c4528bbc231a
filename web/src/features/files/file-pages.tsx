import type { StoredFile } from "@app/shared/files";
import type { ReactNode } from "react";
import { LoadedPage } from "../../core/loaded-page.tsx";
import type { useClientFiles } from "./use-client-files.ts";

interface Props {
  files: ReturnType<typeof useClientFiles>;
  empty: ReactNode;
  page: number;
  onPage: (page: number) => void;
  children: (items: readonly StoredFile[]) => ReactNode;
}

/** A client's files, a page at a time. */
export const FilePages = ({ files, ...shown }: Props) => (
  <LoadedPage query={files.query} failureTitle="The files could not be read" words={["file", "files"]} {...shown} />
);
