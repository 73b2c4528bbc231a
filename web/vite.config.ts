import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = `http://127.0.0.1:${process.env.PORT ?? "3000"}`;

export default defineConfig({
  plugins: [
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
  build: { manifest: true, assetsInlineLimit: 0, target: "es2023", chunkSizeWarningLimit: 800 },
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    proxy: { "^/(trpc|export|webhooks|functions|health|ready)(/|\\?|$)": { target: server, changeOrigin: false } },
  },
});
