import type { StoredFile } from "@app/shared/files";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { Dialog } from "../../ui/dialog.tsx";
import { later } from "../../ui/later.tsx";

const PdfView = later(async () => (await import("./pdf-view.tsx")).PdfView);

/** A picture or a PDF as it is, without leaving the page. */
export function FilePreviewDialog({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const address = `/files/${file.id}`;
  const download = (
    <Button
      component="a"
      href={address}
      download
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
    >
      Download
    </Button>
  );
  return (
    <Dialog isOpen onClose={onClose} title={file.name} size="wide" footer={download}>
      {file.mime === "application/pdf" ? (
        <PdfView address={address} />
      ) : (
        <img src={`${address}?inline=true`} alt={file.name} className="file-picture" />
      )}
    </Dialog>
  );
}
