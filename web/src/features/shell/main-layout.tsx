import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet, useMatches } from "@tanstack/react-router";
import "../../ui/mantine-staff.css";
import "../../ui/chart-colours.css";
import { api, cachingClient, queryClient } from "../../core/api.ts";
import { useOptionalUser } from "../../core/session.ts";
import { useLeaveQuestion } from "../../ui/leave-question.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { IdentityQuestion } from "../auth/identity-question.tsx";
import { SignedOutQuestion } from "../auth/signed-out-question.tsx";
import { useLiveAccess } from "../access/use-live-access.ts";
import { useFailedLoads } from "./use-failed-loads.ts";
import { useKeptWork } from "./use-kept-work.ts";
import { Navigation } from "./navigation.tsx";
import { Notices } from "./notices.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { TopBar } from "./top-bar.tsx";
import { later } from "../../ui/later.tsx";
import "./main-layout.css";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** "focus": the page has a header of its own, and the menu shows as icons. */
    frame?: "focus";
  }
}

// Only a phone needs the drawer.
const PhoneNavigation = later(async () => (await import("./phone-navigation.tsx")).PhoneNavigation);

/** Everything that is behind the sign-in stands in this frame. */
export function MainLayout() {
  const user = useOptionalUser();
  // Between the end of a sign-in and the redirect there is nobody to draw a frame for.
  if (!user) return null;
  return (
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <IdentityQuestion />
        <SignedOutQuestion />
        <Frame />
        <Notices />
      </QueryClientProvider>
    </api.Provider>
  );
}

function Frame() {
  useLiveAccess();
  useKeptWork();
  useLeaveQuestion();
  useFailedLoads();
  const isPhone = useIsPhone();
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const [navigation, setNavigation] = useLocalStorage<"open" | "icons">({
    key: "navigation",
    defaultValue: "open",
    getInitialValueInEffect: false,
  });
  const isFocus = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.frame === "focus") });
  return (
    <div className="shell" data-navigation={isFocus ? "icons" : navigation} data-frame={isFocus ? "focus" : undefined}>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      {isPhone ? (
        <PhoneNavigation isOpen={isDrawerOpen} onClose={drawer.close} />
      ) : (
        <div className="shell-navigation">
          <Navigation />
        </div>
      )}
      <div className="shell-main">
        {(isPhone || !isFocus) && (
          <TopBar
            isNavigationOpen={isPhone ? isDrawerOpen : navigation === "open"}
            onNavigation={isPhone ? drawer.toggle : () => setNavigation(navigation === "open" ? "icons" : "open")}
          />
        )}
        <main id="content" className="shell-content" tabIndex={-1}>
          <ProgressLine />
          <Outlet />
        </main>
      </div>
    </div>
  );
}
