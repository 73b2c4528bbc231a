import { mayImport } from "@app/shared/team-access";
import { useState } from "react";
import { isRunning } from "@app/shared/import-states";
import type { DataImport } from "@app/shared/imports";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { TextLink } from "../../ui/links.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Section } from "../../ui/section.tsx";
import { DiscardButton } from "./discard-button.tsx";
import { ImportColumns } from "./import-columns.tsx";
import { ImportProblems } from "./import-problems.tsx";
import { ImportProgress } from "./import-progress.tsx";
import { ImportResult } from "./import-result.tsx";
import { useImport } from "./use-import.ts";
import "./imports.css";

/** One import, in whatever state it is. */
export function ImportView({ id, page }: { id: string; page: number }) {
  const query = useImport(id);
  const user = useCurrentUser();
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
          {!isRunning(data.status) && !mayImport(user, data.kind) && <NotAllowed data={data} />}
          {isMapping(data, isChanging) && mayImport(user, data.kind) && (
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

/** Of whoever began it and lost a permission since. */
const NotAllowed = ({ data }: { data: DataImport }) => (
  <Panel title={`You do not have permission to import ${data.kind}`}>
    <p>Ask the owner of the practice for it, or to go on with this import.</p>
    {data.status === "mapping" && <DiscardButton data={data} />}
  </Panel>
);

/** Its columns wait to be said, or somebody wants to say them anew. */
const isMapping = ({ status }: DataImport, isChanging: boolean): boolean =>
  status === "mapping" || (isChanging && (status === "checked" || status === "undone"));
