import qrcode from "qrcode-generator";
import "./qr-picture.css";

const QUIET_ZONE = 4;

/** A text as a QR code, drawn here: nothing of it leaves the page. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const numbers = Array.from({ length: count }, (_, index) => index);
  const path = numbers
    .flatMap((row) => numbers.filter((column) => code.isDark(row, column)).map((column) => `M${column} ${row}h1v1h-1z`))
    .join("");
  const size = count + 2 * QUIET_ZONE;
  return (
    <svg className="qr-picture" role="img" aria-label={label} viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`}>
      <path d={path} fill="#000" />
    </svg>
  );
}
