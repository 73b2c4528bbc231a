import { type DragEvent, type ReactNode, useState } from "react";

interface Props {
  isEnabled: boolean;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}

/** Takes files that are dropped anywhere on it; the button beside does the same for the keyboard. */
export function DropZone({ isEnabled, onFiles, children }: Props) {
  const [isOver, setIsOver] = useState(false);
  if (!isEnabled) return children;
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setIsOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
}
