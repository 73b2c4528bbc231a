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
export const FilePreviewDialog = ({ file, onClose }: Props) =>
  file.mime === "application/pdf" ? (
    <Dialog isOpen onClose={onClose} title={file.name} size="full">
      <div className="file-pdf">
        <PdfViewer address={`/files/${file.id}`} name={file.name} />
      </div>
    </Dialog>
  ) : (
    <PictureDialog file={file} onClose={onClose} />
  );

function PictureDialog({ file, onClose }: Props) {
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
      <img src={`${address}?inline=true`} alt={file.name} className="file-picture" />
    </Dialog>
  );
}
