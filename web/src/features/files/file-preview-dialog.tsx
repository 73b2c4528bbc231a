import type { StoredFile } from "@app/shared/files";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { Dialog } from "../../ui/dialog.tsx";
import { later } from "../../ui/later.tsx";

const PdfViewer = later(async () => (await import("../../ui/pdf/pdf-viewer.tsx")).PdfViewer);

interface Props {
  file: StoredFile;
  onClose: () => void;
}

/** A picture or a PDF as it is, without leaving the page. */
export function FilePreviewDialog({ file, onClose }: Props) {
  const address = `/files/${file.id}`;
  const isPdf = file.mime === "application/pdf";
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={file.name}
      size={isPdf ? "full" : "wide"}
      footer={isPdf ? undefined : <DownloadButton address={address} />}
    >
      {isPdf ? (
        <div className="file-pdf">
          <PdfViewer address={address} name={file.name} />
        </div>
      ) : (
        <img src={`${address}?inline=true`} alt={file.name} className="file-picture" />
      )}
    </Dialog>
  );
}

const DownloadButton = ({ address }: { address: string }) => (
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
