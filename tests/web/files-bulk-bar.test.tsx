// What can be undone of files that are deleted together.
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { type Notice, onNotice } from "../../web/src/core/notify.ts";
import { FilesBulkBar } from "../../web/src/features/files/files-bulk-bar.tsx";
import { draw } from "./page.tsx";

const RELEASED = { grantedByPartyId: "p1", at: "2026-11-20T12:00:00.000Z", how: "In the room" };

test.each([
  { consents: [null, RELEASED], undone: ["f0"] },
  { consents: [RELEASED], undone: null },
])(
  "the bar of selected files: when they are deleted, then undoing brings back $undone, and no release",
  async ({ consents, undone }) => {
    const restored: unknown[] = [];
    vi.stubGlobal("fetch", async (url: string, { body }: { body?: string } = {}) => {
      if (String(url).includes("files.restore")) restored.push(JSON.parse(body ?? "null"));
      const changed = { result: { data: { changed: 1 } } };
      const read = { result: { data: { items: [] } } };
      // What is read is asked for together with others, what changes something alone.
      return new Response(JSON.stringify(body === undefined ? [read] : changed));
    });
    const notices: Notice[] = [];
    onNotice((notice) => void notices.push(notice));
    const files = consents.map((consent, index) => ({ id: `f${index}`, consent }));
    draw(
      <api.Provider client={cachingClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <FilesBulkBar clientId="c1" files={files} onClear={() => undefined} />
        </QueryClientProvider>
      </api.Provider>,
    );
    fireEvent.click(screen.getByRole("button", { name: "Delete" }));
    await vi.waitFor(() => expect(notices).toMatchObject([{ isError: false }]));
    notices[0]?.action?.onAct();
    if (undone) await vi.waitFor(() => expect(restored).toEqual([{ ids: undone }]));
    else expect(notices[0]?.action).toBeUndefined();
  },
);
