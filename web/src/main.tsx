import { MantineProvider } from "@mantine/core";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/theme.css";
import { onSessionChange, sessionState } from "./core/session-state.ts";
import { RouteFailure } from "./features/shell/route-failure.tsx";
import { routeTree } from "./routeTree.gen.ts";
import { cssVariables, theme } from "./ui/theme.ts";

// zod reads this as it loads: compiling schemas would need eval, which the content security policy refuses.
Reflect.set(globalThis, "__zod_globalConfig", { jitless: true });

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
setNonce(nonce);

const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: RouteFailure,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// The code of the first page comes while the server is asked who is there, once that question has left. Where it does
// not come, the router asks for it again and says so.
const unsubscribe = router.subscribe("onBeforeLoad", ({ toLocation }) => {
  unsubscribe();
  setTimeout(() => {
    const [routes] = router.getMatchedRoutes(toLocation.pathname);
    for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
  });
});

// Every navigation starts at the top, the Back button's too.
window.history.scrollRestoration = "manual";
router.subscribe("onRendered", ({ hrefChanged, pathChanged, fromLocation }) => {
  if (hrefChanged) window.scrollTo({ top: 0, behavior: "instant" });
  // The keyboard goes on from the top of the new page, not from a link that is gone; an open dialog has a place for it.
  if (pathChanged && fromLocation && !document.querySelector(".dialog-body"))
    void import("./ui/focus.ts").then(({ focusHeading }) => focusHeading());
});

// Losing the sign-in or the subscription runs the guards again, on whatever page this tab stands.
let before = sessionState().status?.user;
onSessionChange(() => {
  const user = sessionState().status?.user;
  const isChanged = before?.userId !== user?.userId || before?.hasAccess !== user?.hasAccess;
  if (before && isChanged) void router.invalidate();
  before = user;
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <RouterProvider router={router} />
      </MantineProvider>
    </StrictMode>,
  );
}
