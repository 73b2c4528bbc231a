import { PRIVILEGE_BANNERS } from "@app/shared/document-kinds";
import type { Privilege } from "@app/shared/privileges";
import { IconLock, IconScale } from "@tabler/icons-react";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** How the document is marked; it is never put away. */
export function PrivilegeBanner({ privilege }: { privilege: Privilege }) {
  const banner = PRIVILEGE_BANNERS[privilege];
  if (!banner) return null;
  return (
    <p className="privilege-banner" data-privilege={privilege}>
      {privilege === "confidential" ? <IconLock {...icon} /> : <IconScale {...icon} />}
      <strong>{banner.mark}</strong>
      <span>{banner.rule}</span>
    </p>
  );
}
