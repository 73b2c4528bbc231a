import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const server = `http://127.0.0.1:${process.env.PORT ?? "3000"}`;

// What every page needs, as a few files: one compresses better than twenty.
const BASE =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|react-store|store))\//;
const FIELDS =
  /@mantine\/core\/esm\/(core|components\/(Input|TextInput|NativeSelect|Button|Loader|UnstyledButton|Transition))\//;
const ICON_BASE = /@tabler\/icons-react\/dist\/esm\/(createReactComponent|defaultAttributes)/;
const CORE =
  /web\/src\/core\/(?!api\.ts|archive|confirm-identity|download|empty-page|list-(failure|page)|record-editor|redraw|kept|load\.|notify|opened-form|send-f|loaded|format|validate|today|versioned-form)/;
/** Modules by the ends of their places. */
const places = (...ends: readonly string[]): RegExp => new RegExp(ends.join("|"));
// What each page of whoever is signed in needs, the dashboard too. None of it is anything that a public page draws.
const STAFF = places(
  "web/src/core/(api\\.|download|format\\.|list-failure|load\\.|loaded\\.|notify|today|use-new-id)",
  "web/src/ui/(error-state\\.tsx|later|links|page-head|person-mark|use-is-phone)",
  "web/src/features/imports/use-import",
  "shared/src/(import-states|team-access)\\.",
  "node_modules/(@floating-ui|@tanstack/(react-query|query-core)|@trpc|react-remove-scroll|tslib)",
  "@mantine/core/esm/components/(ActionIcon|Anchor|Group|Menu|Popover|Skeleton|Text|Title)/",
  "@mantine/core/esm/components/(Accordion/AccordionChevron|Checkbox/CheckIcon|Radio/RadioIcon)",
  "@mantine/core/esm/utils/Floating",
  "@mantine/hooks/esm/use-(click-outside|focus-trap|focus-return|long-press|window-event)",
);
// What lists and records have in common.
const LISTS = places(
  "web/src/core/(archive-bar|list-page|loaded-page)",
  "web/src/ui/(bulk-bar|chip|data-table|empty-state\\.tsx|filter-bar|paged-table|pager|party-marker|status-pie)",
  "web/src/features/(cases/case-(status|waiting)|tasks/due-day)",
  "shared/src/(case-states|case-waiting)\\.",
  "@mantine/core/esm/components/(Checkbox/Checkbox|ScrollArea|Stack|Table)",
  "@mantine/core/esm/utils/(InlineInput|InputsGroupFieldset)",
);
// What whoever changes something opens.
const DIALOGS = places(
  "web/src/core/(validate|versioned-form)",
  "web/src/ui/(choice-field|dialog|focus|form-foot|form-grid|newer-version-notice|panel|section|use-newer-version|version-fields)",
  "@mantine/core/esm/components/(Modal/|Radio/Radio(?!Icon)|SimpleGrid|Textarea)",
);
// Those that public pages draw stay apart, or all the others would come with them.
const STAFF_ICONS =
  /@tabler\/icons-react\/dist\/esm\/icons\/Icon(?!AlertCircle|Check\.|Chevron(Left|Right)\.|DoorExit|Selector|Eye|World\.)/;

// Whatever has one of them has all of them.
const HOOKS = /@mantine\/hooks\/esm\/use-(merged-ref|disclosure|uncontrolled|force-update)/;
const PASSWORD = /icons\/IconEye|web\/src\/ui\/password-field/;

/** The server spells out every meeting of a series, so the calendar's own reader of recurrence rules is never asked. */
const withoutRecurrence: Plugin = {
  name: "without-recurrence",
  enforce: "pre",
  resolveId: (id) => (id === "rrule" ? "\0rrule" : null),
  load: (id) => (id === "\0rrule" ? "export const RRule = undefined; export default { RRule };" : null),
};

export default defineConfig({
  plugins: [
    withoutRecurrence,
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      // Loaders bring the query cache with them, which public pages do without.
      codeSplittingOptions: { defaultBehavior: [["component", "loader"], ["errorComponent"], ["notFoundComponent"]] },
      addExtensions: true,
      quoteStyle: "double",
      semicolons: true,
    }),
    react(),
  ],
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    manifest: true,
    // Every browser of the target knows it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2023",
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // A warning that nobody mends hides the next one.
      onwarn(warning) {
        throw new Error(warning.message);
      },
      output: {
        // The entry names every piece of every page: short names keep it small, and the manifest tells which is which.
        chunkFileNames: "assets/[hash:7].js",
        assetFileNames: "assets/[hash:7][extname]",
        codeSplitting: {
          groups: [
            { name: "base", test: BASE, priority: 3 },
            { name: "icon", test: ICON_BASE, priority: 2 },
            { name: "fields", test: FIELDS, priority: 1 },
            { name: "core", test: CORE },
            { name: "staff", test: STAFF, minShareCount: 2, includeDependenciesRecursively: false },
            { name: "icons", test: STAFF_ICONS, minShareCount: 2 },
            { name: "password", test: PASSWORD },
            { name: "hooks", test: HOOKS },
            { name: "lists", test: LISTS, minShareCount: 2, includeDependenciesRecursively: false },
            { name: "dialogs", test: DIALOGS, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    proxy: {
      "^/(trpc|export|webhooks|functions|health|ready|files|form-files|form-pictures|form-receipts|document-pictures|practice-logo|signing-documents|word-imports|ical)(/|\\?|$)":
        {
          target: server,
          changeOrigin: false,
        },
    },
  },
});
