import { MantineProvider } from "@mantine/core";
import { cleanup, configure, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterAll, afterEach, vi } from "vitest";
import { DRAWN_MS } from "../../web/src/ui/dialog-focus.ts";
import { cssVariables, theme } from "../../web/src/ui/theme.ts";

// What jsdom lacks and Mantine asks for.
vi.stubGlobal("matchMedia", (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {
      return undefined;
    }
    unobserve() {
      return undefined;
    }
    disconnect() {
      return undefined;
    }
  },
);
HTMLElement.prototype.scrollIntoView = () => undefined;
Object.defineProperty(document, "fonts", {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
});

// On a machine with much to do a role is found among many options in seconds: waiting longer changes no result.
configure({ asyncUtilTimeout: 8000 });

afterEach(cleanup);

// A dialog that was closed gives the focus back a moment later: the document stands until then.
afterAll(() => new Promise((resolve) => setTimeout(resolve, DRAWN_MS)));

/** Draws a part of the page with the product's theme and without transitions. */
export const draw = (part: ReactElement) =>
  render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      {part}
    </MantineProvider>,
  );
