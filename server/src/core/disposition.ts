import { visibleName } from "@app/shared/text";

/** RFC 6266: a plain name for old programs, and the real one in UTF-8, both without signs that nobody sees. */
export function disposition(kind: "inline" | "attachment", fullName: string): string {
  const name = visibleName(fullName) || "file";
  const plain = name.replace(/[^\w .()-]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
