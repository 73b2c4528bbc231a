// The frame in which the layout of a mail is shown.

/** The page of its own that a mail is shown as, in a frame that may do nothing. */
export const framePage = (html: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Message</title>
<meta name="viewport" content="width=device-width">
<style>
  body { margin: 12px; font: 14px/1.5 system-ui, sans-serif; color: #1d2126; background: #fff; overflow-wrap: anywhere; }
  img, table { max-width: 100%; }
  img { height: auto; }
  pre { white-space: pre-wrap; }
  blockquote { margin: 0 0 0 8px; padding-left: 10px; border-left: 2px solid #c9ced6; }
</style></head><body>${html}</body></html>`;

/** Nothing runs, nothing loads, and the page has no origin; links open outside. */
export const framePolicy = (showsRemote: boolean): string =>
  [
    "default-src 'none'",
    `img-src data:${showsRemote ? " https: http:" : ""}`,
    "style-src 'unsafe-inline'",
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "sandbox allow-popups allow-popups-to-escape-sandbox",
  ].join("; ");
