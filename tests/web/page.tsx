import { MantineProvider } from "@mantine/core";
import { cleanup, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, vi } from "vitest";
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
Object.defineProperty(document, "fonts", {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
});

afterEach(cleanup);

/** Draws a part of the page with the product's theme and without transitions. */
export const draw = (part: ReactElement) =>
  render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      {part}
    </MantineProvider>,
  );
