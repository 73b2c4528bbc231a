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
  /web\/src\/core\/(?!api\.ts|archive|confirm-identity|download|empty-page|list-(failure|page)|record-editor|kept|load\.|notify|opened-form|send-f|loaded|format|validate|today|versioned-form)/;
const STAFF_CORE =
  /web\/src\/(core\/(download|list-failure|load\.|loaded\.|notify|send-file|use-new-id)|ui\/(page-head|person-mark|use-is-phone))/;
// Those that public pages draw stay apart, or all the others would come with them.
const STAFF_ICONS = /@tabler\/icons-react\/dist\/esm\/icons\/Icon(?!AlertCircle|Check\.|Selector|Eye)/;

// Whatever has one of them has all of them.
const PASSWORD = /icons\/IconEye|web\/src\/ui\/password-field/;
const STAFF_HOOKS = /@mantine\/hooks\/esm\/use-(merged-ref|disclosure|uncontrolled|force-update)/;

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
        chunkFileNames: "assets/[hash].js",
        codeSplitting: {
          groups: [
            { name: "base", test: BASE, priority: 3 },
            { name: "icon", test: ICON_BASE, priority: 2 },
            { name: "fields", test: FIELDS, priority: 1 },
            { name: "core", test: CORE },
            { name: "staff", test: STAFF_CORE, minShareCount: 2 },
            { name: "icons", test: STAFF_ICONS, minShareCount: 2 },
            { name: "password", test: PASSWORD },
            { name: "hooks", test: STAFF_HOOKS },
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
      "^/(trpc|export|webhooks|functions|health|ready|files|ical)(/|\\?|$)": { target: server, changeOrigin: false },
    },
  },
});
