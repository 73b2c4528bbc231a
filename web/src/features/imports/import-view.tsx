import { useState } from "react";
import { isRunning } from "@app/shared/import-states";
import type { DataImport } from "@app/shared/imports";
import { Loaded } from "../../core/loaded.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { ImportColumns } from "./import-columns.tsx";
import { ImportProblems } from "./import-problems.tsx";
import { ImportProgress } from "./import-progress.tsx";
import { ImportResult } from "./import-result.tsx";
import { useImport } from "./use-import.ts";
import "./imports.css";

/** One import, in whatever state it is. */
export function ImportView({ id, page }: { id: string; page: number }) {
  const query = useImport(id);
  const [isChanging, setIsChanging] = useState(false);
  return (
    <Loaded query={query} failureTitle="The import could not be read">
      {(data) => (
        <Section
          title={data.fileName}
          action={
            <TextLink to="/account" search={{ tab: "data" }}>
              All imports
            </TextLink>
          }
        >
          <p className="quiet-text">{data.readAs}</p>
          {isRunning(data.status) && <ImportProgress data={data} />}
          {isMapping(data, isChanging) && (
            <ImportColumns key={data.status} data={data} onChecking={() => setIsChanging(false)} />
          )}
          {!isRunning(data.status) && !isMapping(data, isChanging) && (
            <ImportResult data={data} onChangeColumns={() => setIsChanging(true)} />
          )}
          {!isMapping(data, isChanging) && <ImportProblems data={data} page={page} />}
        </Section>
      )}
    </Loaded>
  );
}

/** Its columns wait to be said, or somebody wants to say them anew. */
const isMapping = ({ status }: DataImport, isChanging: boolean): boolean =>
  status === "mapping" || (isChanging && (status === "checked" || status === "undone"));
